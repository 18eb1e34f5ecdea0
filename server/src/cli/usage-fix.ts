/** What is wrong with what somebody typed, and what they may have meant. */
import type { CommanderError } from 'commander'
import { findNearest } from 'rubicon-kernel'
import { VERBS } from './verbs.ts'

/** More of them would be a list, and the help has it. */
const MOST_MEANT = 4

export type Usage = { readonly summary: string; readonly fix: string }

/** `operands`: the words that are neither options nor their values. */
export function explainUsage(
  error: CommanderError,
  words: readonly string[],
  operands: readonly string[],
): Usage {
  const [first = '', hint] = error.message.replace(/^error: /, '').split('\n')
  const summary = error.code === 'commander.help' ? 'no verb was given' : first.replaceAll("'", '`')
  const meant = findMeant(error, operands)
  if (meant !== null) return { summary: meant.summary ?? summary, fix: meant.fix }
  const fix = hint === undefined ? findFix(error, words, operands) : formatSuggestion(hint)
  return { summary, fix }
}

/** What the parser cannot know: verbs below a group that was left out, and below a group that is a verb itself. */
function findMeant(
  { code }: CommanderError,
  [group = '', typed]: readonly string[],
): { readonly summary?: string; readonly fix: string } | null {
  const below = listBelow(group)
  if (code === 'commander.excessArguments' && typed !== undefined && below.length > 0) {
    const near = findNearest(typed, below)
    const fix = near === undefined ? `see \`rubicon ${group} --help\`` : formatMeant([near])
    return { summary: `unknown command \`${typed}\``, fix }
  }
  if (code !== 'commander.unknownCommand' || below.length > 0) return null
  if (group === 'version') return { fix: formatMeant(['rubicon --version']) }
  const verbs = VERBS.map(({ verb }) => verb).filter((verb) => verb.endsWith(` ${group}`))
  return verbs.length === 0 || verbs.length > MOST_MEANT ? null : { fix: formatMeant(verbs) }
}

/** `check`, `deploy` … of `contract`. */
function listBelow(group: string): readonly string[] {
  return VERBS.flatMap(({ verb }) =>
    verb.startsWith(`${group} `) ? [verb.slice(group.length + 1)] : [],
  )
}

/** The help of the verb that was meant; where a verb takes no `--server`, what does. */
function findFix(
  error: CommanderError,
  words: readonly string[],
  [group = '', verb]: readonly string[],
): string {
  const spec = VERBS.find((known) => [`${group} ${verb}`, group].includes(known.verb))
  if (spec === undefined)
    return listBelow(group).length === 0
      ? 'see `rubicon --help`'
      : `see \`rubicon ${group} --help\``
  const asksServer = error.code === 'commander.unknownOption' && words.includes('--server')
  return asksServer && spec.remote !== true
    ? `\`${spec.verb}\` asks no server: run it without --server where the store is`
    : `see \`rubicon ${spec.verb} --help\``
}

function formatMeant(words: readonly string[]): string {
  const named = words.map((word) => `\`${word}\``)
  return `did you mean ${[named.slice(0, -1).join(', '), ...named.slice(-1)].filter((part) => part !== '').join(' or ')}?`
}

/** `(Did you mean verify?)` in the house's words. */
function formatSuggestion(hint: string): string {
  return hint.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $1`$2`?')
}
