// docs/performance.md from the figures of all parts.
import { table } from './figures.mjs'

/** Parts that were never measured, or could not be, are named and not left out. */
export function documentOf(sections, results) {
  const parts = Object.entries(sections).map(([id, section]) => ({ id, section, result: results[id] }))
  const told = parts.map(({ section, result }) => ({ title: section.title, result, ...partOf(section, result) }))
  const goals = told.flatMap(({ goals: each }) => each)
  const missed = goals.filter(({ isMet }) => !isMet).length
  return `# Performance

Made by \`npm run bench\`; do not edit. Absolute figures are those of one machine; ratios come from one run on it, where what is compared took turns. CPU is user and system time of the whole process tree, the clock is what passed meanwhile, peak RSS is the most that the largest process of the tree ever had, as the kernel tells it; what is smaller than a shell reads as one. Page and screen: [performance-page.md](performance-page.md). Fleet: [scale.md](scale.md).

${commitsOf(told)}

## Goals

${goals.length - missed} of ${goals.length} met.

${table(['goal', 'measured', 'bound', ''], goals.map(({ name, measured, bound, isMet }) => [name, measured, bound, isMet ? 'met' : '**not met**']))}

${reasonsOf(goals)}${told.map(({ title, body, result }) => `## ${title}\n\n${body}\n${result?.figures ? `\n${whenOf(result)}\n` : ''}`).join('\n')}`
}

/** Goals of one part that fail for one reason share a line. */
function reasonsOf(goals) {
  const missed = goals.filter(({ isMet, why }) => !isMet && why !== '')
  const reasons = [...new Set(missed.map(({ why }) => why))]
  const line = (why) => `- ${missed.filter((each) => each.why === why).map(({ name }) => name).join('; ')}: ${why}`
  return reasons.length === 0 ? '' : `Not met, and why:\n\n${reasons.map(line).join('\n')}\n\n`
}

/** Parts that were kept from an earlier run say something of another program. */
function commitsOf(told) {
  const measured = told.filter(({ result }) => result?.figures)
  const commits = [...new Set(measured.map(({ result }) => commitOf(result)))]
  const mark = commits.some((commit) => commit.includes('+')) ? ' A + behind a commit: files were changed since.' : ''
  if (commits.length < 2) return `All parts were measured on ${commits[0] ?? 'no commit'}.${mark}`
  const line = (commit) => `- ${commit}: ${measured.filter(({ result }) => commitOf(result) === commit).map(({ title }) => title).join('; ')}`
  return `**Not all parts are of one commit:** some were kept from an earlier run.${mark}\n\n${commits.map(line).join('\n')}`
}

function commitOf({ commit }) {
  return commit === undefined ? 'an unknown commit' : `commit \`${commit}\``
}

function partOf(section, result) {
  if (result?.figures) return section.render(result.figures)
  return { goals: [], body: result ? `Could not be measured here: ${inCode(result.failed)}` : 'Not measured yet.' }
}

function inCode(text) {
  return `\`${text.trim().replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``
}

/** When and where a part was measured. */
function whenOf(result) {
  const { date, machine, node, load, isCalm, seconds } = result
  const others = isCalm === false ? ': the machine was busy with something else and did not become calm' : ''
  return `Measured on ${commitOf(result)}, ${date}, ${machine}, Node ${node}, in ${Math.round(seconds)} s; ${load.toFixed(1)} processes wanted to run when it began${others}.`
}
