/** What a process says of its rules where they are not the ones in force. */
import type { RulesChange } from 'rubicon-kernel'
import type { RulesState } from '../registry/record-rules.ts'

/** What somebody types or writes to agree to the change of this hash. */
export type Agreeing = (hash: string) => string

const agreeInProcess: Agreeing = (hash) => `createRuntime({ acceptRules: '${hash}' })`

/** Nothing, where what is held is what is recorded. */
export function formatRulesLines(
  state: RulesState,
  agreeing: Agreeing = agreeInProcess,
): readonly string[] {
  const { kind, until, acceptance } = state
  if (acceptance === null) return []
  const first =
    kind === 'in_force'
      ? `the rules held here count until ${until}: others have been recorded since`
      : 'the rules held here are not in force: nothing new is decided (RULES_NOT_IN_FORCE)'
  return [first, ...changeLines(state.changes), `to put them in force: ${agreeing(acceptance)}`]
}

export function changeLines(changes: readonly RulesChange[]): readonly string[] {
  return changes.map(changeLine)
}

/** `+` comes with what is held here, `-` goes with it, `~` differs. A capability not held harms nobody. */
function changeLine({ what, name, change, from, to }: RulesChange): string {
  const mark = { added: '+', changed: '~', gone: '-' }[change]
  const texts = [from, to].filter((text) => text !== undefined).map(shortenHashes)
  const note = what === 'capability' && change === 'gone' ? ' (not held here; stays recorded)' : ''
  return `  ${mark} ${what} ${name}: ${texts.join(' → ')}${note}`
}

/** A hash is told apart by its beginning. */
function shortenHashes(text: string): string {
  return text.replaceAll(/(sha256:[0-9a-f]{12})[0-9a-f]{52}/g, '$1…')
}
