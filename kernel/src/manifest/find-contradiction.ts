/**
 * What the members of a manifest say of each other: an effect class that nothing backs, a measure that nobody
 * computes, an executor that reaches out where nothing should.
 */
import { type DocumentProblem, Place } from '../contract/reader.ts'
import { createNamed, readCondition } from '../expression/read-expression.ts'
import { isReserved } from '../proposal/reserved-kind.ts'
import { ALERT_HUMAN } from '../saga/menu.ts'
import { toAsciiLower } from './plain-text.ts'
import { checkExecutor } from './read-executor.ts'
import type { ManifestExecutor, ManifestProbe, ToolManifest } from './tool-manifest.ts'

/** The first; undefined: they agree. */
export function findContradiction(manifest: ToolManifest): DocumentProblem | undefined {
  for (const find of [
    findKindProblem,
    findEffectProblem,
    findKeyProblem,
    findWorldProblem,
    findRepeatProblem,
    findProbeProblem,
    findMeasureProblem,
    findTouchProblem,
  ]) {
    const problem = find(manifest)
    if (problem !== undefined) return problem
  }
  return undefined
}

function refuse(path: readonly (string | number)[], detail: string): DocumentProblem {
  return { path, detail }
}

function findKindProblem({ kind, compensations = {} }: ToolManifest): DocumentProblem | undefined {
  if (isReserved(kind)) return refuse(['kind'], `\`${kind}\` is a reserved kind`)
  return Object.hasOwn(compensations, ALERT_HUMAN)
    ? refuse(['compensations', ALERT_HUMAN], 'is the runtime’s')
    : undefined
}

function findEffectProblem(manifest: ToolManifest): DocumentProblem | undefined {
  const { effect, probe, delta, executor } = manifest
  if (effect === 'queryable' && probe === undefined)
    return refuse(['effect'], '`queryable` needs a `probe`; without one it is `unsafe`')
  if (effect === 'unsafe' && probe !== undefined)
    return refuse(['effect'], '`unsafe` has no `probe`; with one it is `queryable`')
  if (effect !== 'read')
    return 'mcp_read' in executor ? refuse(['effect'], '`mcp_read` is a `read`') : undefined
  if (delta !== undefined) return refuse(['delta'], 'a tool that only reads changes nothing')
  if ('http' in executor && ['PUT', 'PATCH', 'DELETE'].includes(executor.http.method))
    return refuse(['executor', 'http', 'method'], `\`${executor.http.method}\` is no read`)
  return 'world' in executor ? refuse(['executor'], '`world` reads nothing') : undefined
}

/** A key that is sent nowhere deduplicates nothing. */
function findKeyProblem(manifest: ToolManifest): DocumentProblem | undefined {
  const { effect, idempotency, executor } = manifest
  if (effect === 'keyed' && idempotency === undefined)
    return refuse(['effect'], '`keyed` needs `idempotency`: its carrier and its window')
  if (idempotency === undefined) return undefined
  if (effect !== 'keyed' && effect !== 'queryable' && effect !== 'put_if_match')
    return refuse(['idempotency'], `says nothing of an effect that is \`${effect}\``)
  const carrier = findCarrier(executor)
  if (carrier === undefined || toAsciiLower(carrier) !== toAsciiLower(idempotency.carrier))
    return refuse(
      ['idempotency', 'carrier'],
      `\`${idempotency.carrier}\` is not what the executor sends: ${carrier === undefined ? 'it sends no key' : `\`${carrier}\``}`,
    )
  return undefined
}

/**
 * What may be sent again is something that can be sent twice. Taking back is sent again like the effect itself,
 * under a key of its own.
 */
function findRepeatProblem(manifest: ToolManifest): DocumentProblem | undefined {
  const { effect, executor, compensations = {} } = manifest
  const problem = findRepeated(effect, executor) ?? findUnconditional(effect, executor)
  if (problem !== undefined) return refuse(['executor'], problem)
  for (const [choice, undo] of Object.entries(compensations)) {
    const repeated = findRepeated(effect, undo)
    if (repeated !== undefined) return refuse(['compensations', choice], repeated)
    if (effect === 'keyed' && !('world' in undo) && findCarrier(undo) === undefined)
      return refuse(['compensations', choice], 'is sent again without a key: it sends none')
  }
  return undefined
}

/** HTTP promises of PUT and DELETE that twice is once; of a command nobody promises it. */
function findRepeated(
  effect: ToolManifest['effect'],
  executor: ManifestExecutor,
): string | undefined {
  if (effect !== 'put_if_match' || 'world' in executor) return undefined
  const isRepeatable = 'http' in executor && ['PUT', 'DELETE'].includes(executor.http.method)
  return isRepeatable ? undefined : '`put_if_match` is sent again: by PUT or DELETE, or `world`'
}

/**
 * Twice is once only while nobody else writes in between. Sent again without a condition, it would undo what
 * somebody else has written since.
 */
function findUnconditional(
  effect: ToolManifest['effect'],
  executor: ManifestExecutor,
): string | undefined {
  if (effect !== 'put_if_match' || !('http' in executor)) return undefined
  if (executor.http.if_match !== undefined) return undefined
  return '`put_if_match` needs `if_match`: the version that it may replace'
}

function findCarrier(executor: ManifestExecutor): string | undefined {
  if ('http' in executor) return executor.http.idempotency_header
  return 'command' in executor ? executor.command.idempotency_env : undefined
}

/** Nothing leaves the process: there is nothing to ask about, and nothing to send again. */
function findWorldProblem(manifest: ToolManifest): DocumentProblem | undefined {
  const { executor, delta, probe, result, effect, compensations = {} } = manifest
  if (!('world' in executor)) return undefined
  if (delta === undefined) return refuse(['executor'], '`world` needs a `delta`: it is the effect')
  if (probe !== undefined) return refuse(['probe'], 'a change to World is asked of nobody')
  if (result !== undefined) return refuse(['result'], 'a change to World returns nothing')
  if (effect !== 'put_if_match')
    return refuse(['effect'], 'a change to World is `put_if_match`: it is held to versions')
  const outside = Object.entries(compensations).find(([, undo]) => !('world' in undo))
  return outside === undefined
    ? undefined
    : refuse(['compensations', outside[0]], 'reaches outside, and the effect did not')
}

function findProbeProblem({ probe }: ToolManifest): DocumentProblem | undefined {
  if (probe === undefined) return undefined
  const { executor } = probe
  if ('world' in executor) return refuse(['probe', 'executor'], 'asks nobody')
  if ('http' in executor && !['GET', 'HEAD', 'POST'].includes(executor.http.method))
    return refuse(['probe', 'executor', 'http', 'method'], 'a probe changes nothing')
  const isOfCall = findCarrier(executor) !== undefined || hasNamedParameter(probe)
  return isOfCall
    ? undefined
    : refuse(['probe', 'executor'], 'asks about no call in particular: it names no parameter')
}

/** Where neither the question nor what is made of the answer depends on the call, every call has the same answer. */
function hasNamedParameter({ executor, applied }: ManifestProbe): boolean {
  const named = createNamed()
  const place = new Place([])
  checkExecutor({ ...executor }, place, named)
  // What may be read there was checked before.
  readCondition({ ...applied }, place, {}, named)
  return named.pointers.size > 0
}

function findMeasureProblem({
  measures = {},
  exposure,
}: ToolManifest): DocumentProblem | undefined {
  if (exposure === undefined || Object.hasOwn(measures, exposure.measure)) return undefined
  const known = Object.keys(measures).sort().join(', ') || 'it has none'
  return refuse(['exposure', 'measure'], `is none of its measures: ${known}`)
}

function findTouchProblem(manifest: ToolManifest): DocumentProblem | undefined {
  const { touches, scopes = {}, sinks = {}, exposure, resources, delta } = manifest
  if (touches === undefined) return undefined
  const named = Object.keys(scopes).length + Object.keys(sinks).length > 0
  const isSo = !named && exposure === undefined && resources === undefined && delta === undefined
  return isSo ? undefined : refuse(['touches'], 'says nothing, and it names what it touches')
}
