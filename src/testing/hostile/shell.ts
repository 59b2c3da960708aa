// Pieces of shell that hostile agents are written with.

/** A file with this text, its folders made. */
export function file(path: string, text: string): string {
  return `mkdir -p "$(dirname ${path})"; cat > ${path} <<'TEXT'\n${text}\nTEXT\n`
}

/** Something else in each iteration, round and round. */
export function inTurn(...does: readonly string[]): string {
  return `case $((GREENLATCH_ITERATION % ${does.length})) in\n${does.map((each, at) => `${(at + 1) % does.length}) ${each} ;;`).join('\n')}\nesac`
}

/** One thing at first, the other from the given iteration on. */
export function until(iteration: number, first: string, then: string): string {
  return `if [ "$GREENLATCH_ITERATION" -lt ${iteration} ]; then\n${first}\nelse\n${then}\nfi`
}
