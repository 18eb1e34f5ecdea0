/**
 * Requests to a model and what came of them, as a file: one JSON document a line.
 *
 *     {"rubicon_recording":1,"provider":"openai"}
 *     {"request_hash":"sha256:…","request":{…},"price":{…},"texts":["…"],"reply":{…}}
 *     {"request_hash":"sha256:…","request":{…},"failure":{"code":"MODEL_RATE_LIMITED","charged":false,…}}
 *
 * `request_hash` is the address of the canonical request (type `model-request`), `reply.raw` the body as it came,
 * `texts` what was told while it came (where somebody watched), `price` what the provider said of the model (where
 * it did). Keys are in none of it: they are no part of a request, and a reply that holds one is refused before.
 */
import {
  type Address,
  computeAddress,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  parseJson,
  type Sha256,
} from 'rubicon-kernel'
import type { ModelPrice, ModelReply, ModelRequest } from '../../../ports/model.ts'

export const RECORDING_VERSION = 1

export type RecordingHead = { readonly rubicon_recording: number; readonly provider: string }

export type RecordedCall = {
  readonly request_hash: Address
  readonly request: ModelRequest
  readonly price?: ModelPrice
  readonly texts?: readonly string[]
} & ({ readonly reply: ModelReply } | { readonly failure: RecordedFailure })

export type RecordedFailure = {
  readonly code: string
  readonly message: string
  readonly charged: boolean
  readonly retry_after_ms?: number
  readonly details: JsonValue
  readonly raw?: string
}

export function computeRequestHash(request: ModelRequest, sha256: Sha256): Address {
  return computeAddress('model-request', request, sha256)
}

/** Throws where a line is none of a recording: a file that somebody broke is not half of one. */
export function parseRecording(text: string): {
  readonly head: RecordingHead
  readonly calls: readonly RecordedCall[]
} {
  const lines = text.split('\n').filter((line) => line !== '')
  const [first, ...rest] = lines.map((line, place) => parseLine(line, place + 1))
  if (first?.rubicon_recording !== RECORDING_VERSION || typeof first.provider !== 'string')
    throw new Error(`no recording of version ${RECORDING_VERSION}`)
  const broken = rest.findIndex((line) => !isCall(line))
  if (broken !== -1) throw new Error(`line ${broken + 2} of the recording is no call`)
  return {
    head: { rubicon_recording: RECORDING_VERSION, provider: first.provider },
    calls: rest as unknown as readonly RecordedCall[],
  }
}

const LINE_LIMITS = { ...LIMITS.json, bytes: 4 * LIMITS.modelReplyBytes, keys: 1_000_000 }

function parseLine(line: string, number: number): JsonObject {
  const parsed = parseJson(line, LINE_LIMITS)
  if (!parsed.ok || !isObject(parsed.value))
    throw new Error(`line ${number} of the recording is no JSON object`)
  return parsed.value
}

function isCall({ request_hash, request, reply, failure }: JsonObject): boolean {
  if (typeof request_hash !== 'string' || !isObject(request)) return false
  if (failure !== undefined) return isObject(failure) && typeof failure.code === 'string'
  return isObject(reply) && typeof reply.raw === 'string' && Array.isArray(reply.calls)
}
