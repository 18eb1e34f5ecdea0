/**
 * What an agent is told when the hands refuse: names of what it may read or write, and of nothing else.
 *
 * E1 what works on texts sees all of the project, and says what is in the way wherever that is. A name outside of contract and writs is
 *    left out, and how many were.
 */
import { isObject, type JsonObject, type JsonValue, type SignedIntent } from 'rubicon-kernel'
import type { Capability } from '../ports/capability.ts'
import { NotApplied } from '../ports/capability.ts'
import { READABLE } from './plan-law.ts'
import { formatSymbolName, listArtifactNames } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import { isTexts } from './world-values.ts'

type IsKnown = (name: string) => boolean

/** The same capability, whose refusals are narrowed. */
export function narrowRefusals(
  workshop: Pick<Workshop, 'loadScope'>,
  capability: Capability,
): Capability {
  return {
    ...capability,
    execute: async (intent, io) => {
      try {
        return await capability.execute(intent, io)
      } catch (error) {
        if (!(error instanceof NotApplied) || Object.keys(error.details).length === 0) throw error
        throw narrowRefusal(error, intent, await loadKnown(workshop, intent))
      }
    },
  }
}

/** What it named itself was judged when it was decided. */
async function loadKnown(
  { loadScope }: Pick<Workshop, 'loadScope'>,
  intent: SignedIntent,
): Promise<IsKnown> {
  const scope = await loadScope(intent)
  const named = new Set(listNamed(intent))
  const tests = [
    ...['artifact.read', 'artifact.symbols', 'artifact.list'].map((kind) => scope(kind, READABLE)),
    ...['artifact.plan', 'artifact.apply'].map((kind) => scope(kind, 'symbols')),
  ]
  return (name) => named.has(name) || tests.some((isWithin) => isWithin(name))
}

function listNamed({ params: { symbols, symbol } }: SignedIntent): readonly string[] {
  return [...(isTexts(symbols) ? symbols : []), ...(typeof symbol === 'string' ? [symbol] : [])]
}

function narrowRefusal(refusal: NotApplied, intent: SignedIntent, isKnown: IsKnown): NotApplied {
  const { code = '', artifact, candidates, fixes, ...rest } = refusal.details
  const { transient } = refusal
  const name = typeof artifact === 'string' ? artifact : null
  const isNamed = name === null || listArtifactNames(listNamed(intent)).includes(name)
  if (!isNamed && !isKnown(name ?? '')) {
    const detail = 'what is in the way lies in an artifact that you may not read'
    return new NotApplied(`${String(code)}: ${detail}`, { transient, details: { code, detail } })
  }
  const shown = selectKnown(candidates, (one) => isKnownCandidate(one, name, isKnown))
  const repairs = selectKnown(fixes, (one) => isKnownFix(one, name, isKnown))
  const hidden = shown.hidden + repairs.hidden
  const details: JsonObject = {
    ...{ code, ...rest },
    ...(artifact === undefined ? {} : { artifact }),
    ...(shown.kept === undefined ? {} : { candidates: shown.kept }),
    ...(repairs.kept === undefined ? {} : { fixes: repairs.kept }),
    ...(hidden === 0 ? {} : { hidden }),
  }
  return new NotApplied(refusal.message, { transient, details })
}

type Narrowed = { readonly kept: JsonValue | undefined; readonly hidden: number }

function selectKnown(
  values: JsonValue | undefined,
  isShown: (one: JsonValue) => boolean,
): Narrowed {
  if (!Array.isArray(values)) return { kept: values, hidden: 0 }
  const kept = values.filter(isShown)
  return { kept, hidden: values.length - kept.length }
}

/** A symbol with its artifact, a path in the artifact of the refusal, or the hash of a plan or a change. */
function isKnownCandidate(one: JsonValue, artifact: string | null, isKnown: IsKnown): boolean {
  if (typeof one !== 'string') return false
  if (one.startsWith('sha256:') || isKnown(one)) return true
  return artifact !== null && isKnown(formatSymbolName({ artifact, path: one }))
}

/** Conflicts of a merge name a symbol; what repairs a composition is told by authors and what they claim. */
function isKnownFix(one: JsonValue, artifact: string | null, isKnown: IsKnown): boolean {
  if (!isObject(one)) return false
  const { path } = one
  const of = typeof one.artifact === 'string' ? one.artifact : artifact
  return typeof path !== 'string' || isKnown(formatSymbolName({ artifact: of ?? '', path }))
}
