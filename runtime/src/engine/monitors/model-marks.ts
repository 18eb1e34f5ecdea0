/**
 * Which model stood behind an execution, and where that changed: the model that answered last in the flow before
 * the step was decided. It is no source that a monitor can judge by; people see whether a series moved with it.
 */
import {
  formatInstant,
  type GenerationPayload,
  LIMITS,
  type Sample,
  shorten,
  stripHidden,
} from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import type { Mark } from './authority-marks.ts'

/** The column of samples that it stands in. No source has this name. */
export const MODEL_COLUMN = 'model'

/** `before`: the entry of the decision. Undefined: the runtime asked no model for the flow until then. */
export function findModelBehind(
  entries: readonly StoredEntry[],
  before: StoredEntry,
): string | undefined {
  const earlier = entries.slice(0, entries.indexOf(before))
  for (const { envelope, payload } of earlier.toReversed()) {
    // Payloads are canonical: most need not be read for it.
    if (envelope.kind !== 'evidence' || payload?.includes('"source":"model"') !== true) continue
    const said = parseGeneration(payload)
    if (said.finding !== 'answered') continue
    const { provider = '', model = '', answered_by = '' } = said
    return toModelName(provider, answered_by === '' ? model : answered_by)
  }
  return undefined
}

/** Agents and providers write it: what nobody can see is taken out, and it is cut. */
function toModelName(provider: string, model: string): string {
  return stripHidden(shorten(`${provider}/${model}`, LIMITS.modelNameLength))
}

/**
 * A mark wherever a model answers that has not for a while: not for the last executions behind which a model is
 * known. So an agent that uses two in turn has no mark for each step, and one that comes back is a change.
 */
export function listModelMarks(samples: readonly Sample[]): readonly Mark[] {
  const marks: Mark[] = []
  const recent: string[] = []
  for (const { leaf, at, values } of samples) {
    const model = values[MODEL_COLUMN]
    if (model === undefined || model === null) continue
    const last = recent.at(-1)
    if (last !== undefined && !recent.includes(model)) {
      const label = `model ${model}, after ${last}`
      marks.push({ kind: 'model', at: formatInstant(at), seq: null, leaf, label })
    }
    recent.push(model)
    if (recent.length > LIMITS.seriesModels) recent.shift()
  }
  return marks.slice(-LIMITS.seriesMarks)
}

/** Entries in our own store are what we wrote there. */
function parseGeneration(
  payload: string,
): Partial<Extract<GenerationPayload, { finding: 'answered' }>> {
  return JSON.parse(payload) as Partial<Extract<GenerationPayload, { finding: 'answered' }>>
}
