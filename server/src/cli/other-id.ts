/**
 * What somebody typed where the id of something else was wanted. "There is none" is true of the id of
 * a request where a flow is wanted, and of three characters of the right one; neither helps whoever
 * reads it at night.
 */
import type { Failure } from 'rubicon-kernel'

/** What an id may be the id of. */
type IdKind = 'request' | 'entry' | 'address' | 'code'

const SHAPES: readonly (readonly [IdKind, RegExp])[] = [
  ['request', /^[0-9a-f-]{8,36}:\d+$/i],
  ['entry', /^[\w.:@-]+\/\d+$/],
  ['address', /^sha256:/],
  ['code', /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/],
]

/** The beginning of a dfid, however short, or a whole one. */
const DFID = /^[0-9a-f][0-9a-f-]{0,35}$/i

export function isDfidLike(given: string): boolean {
  return DFID.test(given)
}

/** Null: it does not look like the id of anything. */
export function describeOtherId(
  given: string,
  shortest: number,
): Pick<Failure, 'summary' | 'fix'> | null {
  if (given === '') return { summary: 'no id was given', fix: 'see `rubicon flows list`' }
  if (isDfidLike(given) && given.length < shortest)
    return {
      summary: `\`${given}\` is too short to be the beginning of an id`,
      fix: `type at least ${shortest} characters of it`,
    }
  const kind = SHAPES.find(([, shape]) => shape.test(given))?.[0]
  return kind === undefined ? null : WORDS[kind](given)
}

const WORDS: Readonly<Record<IdKind, (given: string) => Pick<Failure, 'summary' | 'fix'>>> = {
  request: (given) => ({
    summary: `\`${given}\` is the id of a request, not of a flow`,
    fix: `\`rubicon escalations show ${given}\`; its flow is \`${given.split(':')[0]}\``,
  }),
  entry: (given) => {
    const [trajectory, seq] = given.split('/')
    return {
      summary: `\`${given}\` is a place in the ledger, not a flow`,
      fix: `\`rubicon ledger show ${trajectory} --from ${seq} --limit 1\` shows the entry`,
    }
  },
  address: (given) => ({
    summary: `\`${given}\` is a hash, not a flow`,
    fix: `\`rubicon writ inspect ${given}\` if it is a writ; flows have ids like \`rubicon flows list\` shows`,
  }),
  code: (given) => ({
    summary: `\`${given}\` is a reason code, not a flow`,
    fix: `\`rubicon explain ${given}\``,
  }),
}
