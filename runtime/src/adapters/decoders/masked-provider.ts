/**
 * A model on this side, token by token: a mask says which may come, the model chooses, and what it chose is held against
 * the mask.
 *
 * K1 A token whose bit is not set ends it: nothing is taken from a model that does not keep to its mask.
 * K2 It ends after `max_tokens` at the latest, and when nobody waits any more; between two tokens others have their turn.
 * K3 The mask is closed, however it ends: it lies in memory that nobody collects.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { toCanonicalText } from 'rubicon-kernel'
import type {
  DecodeRequest,
  Decoder,
  MaskEngine,
  MaskedProviderOptions,
  TokenMask,
  TokenModel,
} from '../../ports/decoder.ts'
import {
  ModelFailure,
  type ModelIo,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from '../../ports/model.ts'

/** A provider that writes documents of a schema and nothing else. */
export function createMaskedProvider(options: MaskedProviderOptions): ModelProvider {
  const { model, price } = options
  const decoder = createMaskedDecoder(options)
  return {
    name: decoder.name,
    findPrice: (asked) => (asked === model.name ? price : undefined),
    async generate(request, io) {
      if (request.model === model.name && hasOutput(request)) return decoder.generate(request, io)
      const message = 'it writes documents of a schema, as its own model'
      throw new ModelFailure('MODEL_REFUSED', message, { charged: false })
    },
  }
}

function createMaskedDecoder({ model, engine, name = model.name }: MaskedProviderOptions): Decoder {
  return {
    name,
    async generate(request, io) {
      const mask = await createMask(engine, request)
      try {
        return await writeDocument(model, mask, request, io)
      } finally {
        mask.close()
      }
    },
  }
}

function hasOutput(request: ModelRequest): request is DecodeRequest {
  return request.output !== undefined
}

async function createMask(engine: MaskEngine, { output }: DecodeRequest): Promise<TokenMask> {
  try {
    return await engine.createMask(output.schema)
  } catch (cause) {
    const details = { engine: engine.name, why: cause instanceof Error ? cause.message : '' }
    throw new ModelFailure('DECODE_FAILED', 'the schema could not be made into a mask', {
      charged: false,
      details,
    })
  }
}

async function writeDocument(
  model: TokenModel,
  mask: TokenMask,
  request: DecodeRequest,
  { signal, onText }: ModelIo,
): Promise<ModelReply> {
  const written: number[] = []
  while (!mask.isEnded() && written.length < request.max_tokens) {
    // Neither masks nor models that compute here let anybody else have a turn: nobody could give up, or decide.
    await turn()
    if (signal.aborted) throw buildLate()
    const bits = await mask.computeNext()
    const token = await model.chooseNext(request, written, bits)
    if (!isAllowed(bits, token, model) || !mask.accept(token)) throw buildUnheld(token, written)
    written.push(token)
  }
  const stops = new Set(model.vocabulary.stop)
  const said = written.filter((token) => !stops.has(token))
  const text = model.decodeTokens(said)
  onText?.(text)
  const usage = {
    input_tokens: Math.max(1, model.countInput(request)),
    output_tokens: written.length,
  }
  const stop = mask.isEnded() ? ('end' as const) : ('length' as const)
  const reply = { model: model.name, text, calls: [], stop, usage }
  return { ...reply, raw: toCanonicalText(reply) }
}

const BITS = 32

function isAllowed(mask: Int32Array, token: number, { vocabulary }: TokenModel): boolean {
  if (!Number.isInteger(token) || token < 0 || token >= vocabulary.tokens.length) return false
  return (((mask[Math.floor(token / BITS)] ?? 0) >>> (token % BITS)) & 1) === 1
}

function buildUnheld(token: number, written: readonly number[]): ModelFailure {
  return new ModelFailure('DECODE_FAILED', 'the model chose a token that its mask does not allow', {
    charged: true,
    details: { token: Number.isInteger(token) ? token : -1, after: written.length },
  })
}

function buildLate(): ModelFailure {
  return new ModelFailure('MODEL_TIMEOUT', 'nobody waits for the reply any more', { charged: true })
}
