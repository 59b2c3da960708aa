// Functions and methods that are easily taken for one another.

type Sibling = { text: string; tongue: 'javascript' | 'python' | null }

const JAVASCRIPT = [
  'push unshift concat', 'pop shift', 'map filter flatMap forEach', 'find filter findLast', 'findIndex indexOf findLastIndex',
  'some every', 'slice splice', 'reduce reduceRight',
  'indexOf lastIndexOf', 'startsWith endsWith includes', 'includes has', 'toLowerCase toUpperCase', 'trim trimStart trimEnd',
  'padStart padEnd', 'replace replaceAll',
  'keys values entries', 'get has delete', 'set add', 'substring slice substr', 'charAt charCodeAt', 'round floor ceil trunc', 'min max',
  'sort toSorted', 'reverse toReversed',
  'getMonth getDate getDay', 'getFullYear getYear', 'getHours getMinutes getSeconds', 'getUTCDay getUTCDate getUTCMonth',
  'parseInt parseFloat Number', 'all allSettled race any', 'isInteger isFinite isNaN', 'log log2 log10',
  'sin cos tan', 'sqrt cbrt', 'add delete', 'then catch finally', 'match matchAll', 'fromEntries entries', 'freeze seal',
  'Error TypeError RangeError SyntaxError',
  'encodeURIComponent encodeURI', 'length size', 'split join', 'abs sign', 'has get', 'at indexOf',
]

const PYTHON = [
  'append extend insert add', 'pop remove discard popleft', 'appendleft append', 'add update', 'lower upper title capitalize casefold',
  'strip lstrip rstrip', 'startswith endswith',
  'find rfind index', 'index rindex count', 'split rsplit splitlines partition', 'partition rpartition', 'keys values items',
  'get pop setdefault', 'ljust rjust center zfill', 'any all',
  'min max sum', 'floor ceil trunc', 'sorted reversed list', 'isdigit isalpha isalnum isnumeric isdecimal', 'isupper islower',
  'union intersection difference symmetric_difference', 'issubset issuperset',
  'removeprefix removesuffix', 'sort reverse', 'popleft pop', 'int float round', 'str repr', 'bisect_left bisect_right bisect insort',
  'heappush heappop heapify', 'permutations combinations product combinations_with_replacement',
  'match search fullmatch', 'findall finditer', 'setdefault get', 'join split', 'days seconds total_seconds', 'weekday isoweekday',
  'month day year', 'hour minute second', 'log log2 log10', 'sin cos tan', 'sum len', 'list tuple set', 'deque list',
  'ValueError KeyError TypeError IndexError',
  'zip zip_longest', 'enumerate range', 'read readlines', 'dumps loads', 'mean median mode', 'stdev pstdev', 'appendleft extendleft',
  'rotate reverse', 'copy deepcopy', 'isinstance issubclass', 'accumulate chain', 'map filter', 'update add',
]

const BOTH = [
  'left right', 'first last', 'start end', 'min max', 'low high', 'x y z', 'width height', 'row col', 'rows cols', 'next prev previous',
  'head tail', 'parent child', 'key value', 'begin end', 'from to', 'lo hi', 'top bottom', 'up down', 'index count', 'before after',
  'name id', 'source target', 'src dst',
]

function gather(rows: readonly string[], tongue: Sibling['tongue'], into: Map<string, Sibling[]>): void {
  for (const row of rows.map((text) => text.split(' '))) {
    for (const [at, name] of row.entries()) {
      // Neighbours in a row are the likeliest.
      const others = row
        .filter((other) => other !== name)
        .toSorted((one, other) => Math.abs(row.indexOf(one) - at) - Math.abs(row.indexOf(other) - at))
      const before = into.get(name) ?? []
      into.set(name, [
        ...before,
        ...others
          .filter((text) => !before.some((known) => known.text === text && known.tongue === tongue))
          .map((text) => ({ text, tongue })),
      ])
    }
  }
}

export const SIBLINGS: ReadonlyMap<string, readonly Sibling[]> = (() => {
  const found = new Map<string, Sibling[]>()
  gather(JAVASCRIPT, 'javascript', found)
  gather(PYTHON, 'python', found)
  gather(BOTH, null, found)
  return found
})()
