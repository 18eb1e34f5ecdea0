/**
 * Answers as a recording has it, byte for byte, and asks nobody.
 *
 * P1 a request that is not in the recording is refused: what was not recorded is not made up.
 * P2 a request that was recorded more than once has its replies in their order, each of them once.
 */
import { readFileSync } from 'node:fs'
import {
  ModelFailure,
  type ModelFailureCode,
  type ModelPrice,
  type ModelProvider,
} from '../../../ports/model.ts'
import { sha256 } from '../../system/sha256.ts'
import { computeRequestHash, parseRecording, type RecordedCall } from './recording.ts'

/** A provider that answers from a recording: the same request gets the same reply, and another one is refused. */
export function replayModel(file: string): ModelProvider {
  const { head, calls } = parseRecording(readFileSync(file, 'utf8'))
  const waiting = new Map<string, RecordedCall[]>()
  const prices = new Map<string, ModelPrice>()
  for (const call of calls) {
    const { request, price } = call
    // By what was asked, not by the line's word for it.
    const hash = computeRequestHash(request, sha256)
    if (hash !== call.request_hash)
      throw new Error(`the recording has a request whose hash is \`${hash}\` under another`)
    waiting.set(hash, [...(waiting.get(hash) ?? []), call])
    if (price !== undefined) prices.set(request.model, price)
  }
  return {
    name: head.provider,
    findPrice: (model) => prices.get(model),
    async generate(request, { onText }) {
      const hash = computeRequestHash(request, sha256)
      const call = waiting.get(hash)?.shift()
      if (call === undefined)
        throw new ModelFailure('MODEL_REFUSED', 'the recording has no reply to this request', {
          charged: false,
          details: { request_hash: hash },
        })
      for (const text of call.texts ?? []) onText?.(text)
      if ('reply' in call) return call.reply
      const { code, message, charged, retry_after_ms, details, raw } = call.failure
      throw new ModelFailure(code as ModelFailureCode, message, {
        charged,
        ...(retry_after_ms === undefined ? {} : { retryAfterMs: retry_after_ms }),
        details,
        ...(raw === undefined ? {} : { raw }),
      })
    },
  }
}
