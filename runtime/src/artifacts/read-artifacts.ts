/**
 * What an agent may look at: which artifacts there are, which symbols, the text of one.
 *
 * B1 an answer has a limit; what is left out can be asked for.
 * B2 an answer says that it is data of the project: a text that gives orders is a text.
 * B3 nothing of the machine is said: no folder, no path but the name of the artifact.
 * B4 a name is listed to whoever may read all that it names: a prefix that a contract admits may begin names that it does not.
 */
import type { JsonObject, JsonValue, SignedIntent } from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { getKnown, loadArtifacts, loadProject } from './known-world.ts'
import { READABLE } from './plan-law.ts'
import { loadDeskText } from './project-texts.ts'
import { createRefusal, toDeskRefusal } from './refusal.ts'
import { formatSymbolName, parseSymbolName, type SymbolName } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'
import type { KnownArtifact } from './world-values.ts'

/** B2. */
export const DATA = 'project'

/** B4. */
export async function listArtifacts(workshop: Workshop, intent: SignedIntent): Promise<Effect> {
  const { below = '', after = '', limit = HANDS_LIMITS.listed } = intent.params
  const { names } = await loadProject(workshop, intent.trajectory)
  const isReadable = (await workshop.loadScope(intent))(intent.policy_kind, READABLE)
  const most = Math.min(Number(limit), HANDS_LIMITS.listed)
  const found: { name: string; content_hash: string }[] = []
  for (const [name, content_hash] of names) {
    if (!name.startsWith(String(below)) || (after !== '' && name <= String(after))) continue
    if (isReadable(name)) found.push({ name, content_hash })
    // One more says that there are more.
    if (found.length > most) break
  }
  const artifacts = found.slice(0, most)
  const next = found.length > most ? (artifacts.at(-1)?.name ?? null) : null
  return { result: { data_of: DATA, artifacts, next } }
}

export async function listSymbols(workshop: Workshop, intent: SignedIntent): Promise<Effect> {
  const { path, artifact } = toAskedSymbol(intent.params)
  const { depth, offset = 0 } = intent.params
  const known = await loadKnown(workshop, intent.trajectory, artifact)
  const text = await loadDeskText(workshop, artifact, known.content_hash)
  const answer = await workshop.desk.ask({
    ...{ ask: 'symbols' as const, text },
    ...(path === '' ? {} : { below: path }),
    ...(typeof depth === 'number' ? { depth } : {}),
  })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  const all = answer.value.symbols.slice(Number(offset))
  const shown = limitList(all.map(toJson), HANDS_LIMITS.listedSymbols)
  const next = shown.length < all.length ? Number(offset) + shown.length : null
  const { content_hash } = known
  return { result: { data_of: DATA, artifact, content_hash, symbols: shown, next } }
}

export async function readSymbol(workshop: Workshop, intent: SignedIntent): Promise<Effect> {
  const { path, artifact } = toAskedSymbol(intent.params)
  const { offset = 0 } = intent.params
  const known = await loadKnown(workshop, intent.trajectory, artifact)
  const text = await loadDeskText(workshop, artifact, known.content_hash)
  const answer = await workshop.desk.ask({ ask: 'slice', text, path })
  if (!answer.ok) throw toDeskRefusal(answer.error)
  const slice = answer.value
  const start = Number(offset)
  // Not between the halves of a character.
  const shown = slice.text.slice(start, start + HANDS_LIMITS.sliceLength)
  const whole = /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown
  const next = start + whole.length < slice.text.length ? start + whole.length : null
  return {
    result: {
      data_of: DATA,
      ...{ artifact, path, content_hash: known.content_hash },
      ...{ text: whole.toWellFormed(), offset: start, length: slice.text.length, next },
      lines: [...slice.lines],
      definition_hash: slice.definition_hash,
    },
  }
}

/** N1: a contract was held against the text, so it has to be the one text for what it names. */
function toAskedSymbol({ symbol }: JsonObject): SymbolName {
  const text = typeof symbol === 'string' ? symbol : ''
  const name = parseSymbolName(text)
  if (formatSymbolName(name) === text) return name
  throw createRefusal('ARTIFACT_UNKNOWN', `\`${text}\` names no symbol behind its space`)
}

async function loadKnown(
  workshop: Workshop,
  trajectory: string,
  name: string,
): Promise<KnownArtifact> {
  return getKnown(await loadArtifacts(workshop, trajectory, [name]), name)
}

function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value))
}

/** So many of them, and no more characters than an answer may have. */
function limitList(values: readonly JsonValue[], most: number): readonly JsonValue[] & JsonValue[] {
  const shown: JsonValue[] = []
  let length = 0
  for (const value of values.slice(0, most)) {
    length += JSON.stringify(value).length
    if (length > HANDS_LIMITS.answerLength) break
    shown.push(value)
  }
  return shown
}
