// Calls that can be made once more without a trace, told by their names.
import type { Tongue } from './tree.js'

const JAVASCRIPT =
  /^(?:Math\.\w+|Number(?:\.\w+)?|String|Boolean|parseInt|parseFloat|isNaN|Array\.isArray|Array\.from|Object\.(?:keys|values|entries|fromEntries|is|hasOwn)|JSON\.stringify)$|\.(?:slice|substring|includes|indexOf|lastIndexOf|startsWith|endsWith|trim|trimStart|trimEnd|toLowerCase|toUpperCase|split|join|concat|at|charAt|charCodeAt|codePointAt|padStart|padEnd|repeat|replace|replaceAll|has|get|keys|values|entries|toFixed|toString|localeCompare|flat|flatMap|filter|map|some|every|find|findIndex|findLast|reduce|toSorted|toReversed|getTime|toISOString|match|hasOwnProperty)$/
const PYTHON =
  /^(?:len|min|max|abs|sum|sorted|int|float|str|bool|list|tuple|set|frozenset|dict|round|isinstance|range|any|all|ord|chr|divmod|repr|type|math\.\w+)$|\.(?:get|keys|values|items|lower|upper|strip|lstrip|rstrip|split|rsplit|splitlines|join|startswith|endswith|index|count|find|rfind|replace|format|title|capitalize|casefold|isdigit|isalpha|isalnum|isupper|islower|isspace|copy|zfill|ljust|rjust|center|partition|rpartition|union|intersection|difference|issubset)$/

export function pureCalls(tongue: Tongue): RegExp {
  return tongue === 'python' ? PYTHON : JAVASCRIPT
}
