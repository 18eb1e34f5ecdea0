/** A model provider over HTTP, for any wire format. */
import { LIMITS, toCanonicalText } from 'rubicon-kernel'
import {
  ModelFailure,
  type ModelIo,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type ReadModelKey,
} from '../../ports/model.ts'
import { createSecretSearch, type SecretSearch } from '../secrets/secret-search.ts'
import { parseModelAddress } from './model-address.ts'
import { callModel, type ModelAnswer } from './model-http.ts'
import { buildInvalidReply, finishReply, type ReplyDraft } from './reply-draft.ts'
import { parseReplyJson } from './reply-json.ts'
import { type SseEvent, SseReader } from './sse.ts'
import type { ReplyStream, WireFormat } from './wire-format.ts'

/** How a provider of models is reached over HTTP. */
export type HttpProviderOptions = {
  /** Under which it stands in the record. */
  readonly name?: string
  /** Where it is asked; left out, where its maker serves it. */
  readonly baseUrl?: string
  /** Left out: none is sent. */
  readonly key?: ReadModelKey
  /** By model. One that is not named here is not asked where usd is bounded. */
  readonly prices?: Readonly<Record<string, ModelPrice>>
  /** Without TLS, beyond this machine. */
  readonly plainHttp?: boolean
  /** How long a reply may take. */
  readonly timeoutMs?: number
  /** How large a reply may be. */
  readonly replyBytes?: number
  /** UTC, epoch milliseconds. */
  readonly now?: () => number
}

type Bounds = {
  readonly timeoutMs: number
  readonly replyBytes: number
  readonly now: () => number
}

export function createHttpProvider(
  options: HttpProviderOptions & { readonly name: string; readonly baseUrl: string },
  wire: WireFormat,
): ModelProvider {
  const address = parseModelAddress(options.baseUrl, options.plainHttp === true)
  const prices = new Map(Object.entries(options.prices ?? {}))
  const bounds: Bounds = {
    timeoutMs: options.timeoutMs ?? LIMITS.modelMs,
    replyBytes: options.replyBytes ?? LIMITS.modelReplyBytes,
    now: options.now ?? Date.now,
  }
  return {
    name: options.name,
    findPrice: (model) => prices.get(model),
    async generate(request, io) {
      const streamed = io.onText !== undefined
      const body = toCanonicalText(wire.encodeRequest(request, streamed))
      const secret = await readKey(options.key)
      const secrets = createSecretSearch([secret])
      const answer = await callModel({
        url: `${address}${wire.buildPath(request, streamed)}`,
        headers: wire.buildHeaders(secret),
        secrets,
        body,
        // A server that does not stream answers a whole, which is as good.
        accept: streamed ? ['text/event-stream', 'application/json'] : ['application/json'],
        signal: io.signal,
        ...bounds,
      })
      return await readAnswer(
        { wire, request, io, secrets, longest: secret.length, bounds },
        answer,
      )
    },
  }
}

/** What a key may be made of: a header takes nothing else, and the error about it would show the key. */
const KEY = /^[\x21-\x7e]+$/

async function readKey(read: ReadModelKey | undefined): Promise<string> {
  if (read === undefined) return ''
  let key = ''
  try {
    key = await read()
  } catch {
    // What went wrong may show where keys lie, or one of them.
    throw new ModelFailure('MODEL_REFUSED', 'the key of the provider could not be read', {
      charged: false,
    })
  }
  if (KEY.test(key)) return key
  const message = 'the key of the provider is empty, or has characters that no key has'
  throw new ModelFailure('MODEL_REFUSED', message, { charged: false })
}

type Reading = {
  readonly wire: WireFormat
  readonly request: ModelRequest
  readonly io: ModelIo
  readonly secrets: SecretSearch
  /** Of the key, in characters. */
  readonly longest: number
  readonly bounds: Bounds
}

async function readAnswer(reading: Reading, answer: ModelAnswer): Promise<ModelReply> {
  const parts: Uint8Array[] = []
  const decode = (): string => Buffer.concat(parts).toString('utf8')
  try {
    const draft =
      answer.type === 'application/json'
        ? await readWhole(reading, answer, parts)
        : await readStream(reading, answer, parts)
    const reply = finishReply(draft, decode())
    const { raw, ...said } = reply
    refuseSecret(reading, toCanonicalText(said))
    refuseSecret(reading, raw)
    return reply
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    throw addRaw(error, decode(), reading.secrets)
  }
}

async function readWhole(
  { wire, request, bounds }: Reading,
  { chunks }: ModelAnswer,
  parts: Uint8Array[],
): Promise<ReplyDraft> {
  for await (const chunk of chunks) parts.push(chunk)
  const body = parseReplyJson(Buffer.concat(parts), bounds.replyBytes, wire.numbers)
  return wire.readReply(body, request)
}

/** Of the forms in which a key is recognised, the longest in characters of the key. */
const LONGEST_FORM = 6

async function readStream(
  { wire, request, io, secrets, longest }: Reading,
  { chunks }: ModelAnswer,
  parts: Uint8Array[],
): Promise<ReplyDraft> {
  const reader = new SseReader()
  const stream: ReplyStream = wire.createStream(request)
  let told = ''
  for await (const chunk of chunks) {
    parts.push(chunk)
    for (const event of readEvents(reader, chunk)) {
      const text = stream.take(event)
      if (text === '') continue
      // A key may come in pieces: what was told last is looked at together with what is new.
      told = `${told.slice(-LONGEST_FORM * longest)}${text}`
      refuseSecret({ secrets }, told)
      io.onText?.(text)
    }
  }
  const draft = stream.finish()
  if (draft === null) throw buildInvalidReply('the stream ended before the reply did')
  return draft
}

function readEvents(reader: SseReader, chunk: Uint8Array): readonly SseEvent[] {
  try {
    return reader.push(chunk)
  } catch {
    throw buildInvalidReply('its bytes are not UTF-8')
  }
}

function refuseSecret({ secrets }: Pick<Reading, 'secrets'>, text: string): void {
  if (secrets.isIn(text)) throw buildInvalidReply('it holds the key that was sent')
}

/** What came goes with it for the record, if it may be kept there. */
function addRaw(failure: ModelFailure, raw: string, secrets: SecretSearch): ModelFailure {
  const { code, message, charged, retryAfterMs, details } = failure
  const isHeld = secrets.isIn(raw)
  const isKept = raw !== '' && code !== 'MODEL_REPLY_TOO_LONG' && !isHeld
  return new ModelFailure(code, message, {
    charged,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    // They may quote what came, and be cut within the key.
    details: isHeld || secrets.isIn(toCanonicalText(details)) ? null : details,
    ...(isKept ? { raw } : {}),
  })
}
