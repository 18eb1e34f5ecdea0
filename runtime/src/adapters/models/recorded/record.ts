/** Writes down what a provider is asked and answers, so that it can be replayed without it. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { toCanonicalText } from 'rubicon-kernel'
import { ModelFailure, type ModelProvider, type ModelRequest } from '../../../ports/model.ts'
import { sha256 } from '../../system/sha256.ts'
import {
  computeRequestHash,
  parseRecording,
  RECORDING_VERSION,
  type RecordedCall,
  type RecordedFailure,
} from './recording.ts'

/**
 * A provider whose requests and replies are recorded in a file, behind what it has. It holds what was asked and said: it is made
 * readable to its owner alone.
 */
export function recordModel(provider: ModelProvider, file: string): ModelProvider {
  if (existsSync(file)) parseRecording(readFileSync(file, 'utf8'))
  else append(file, { rubicon_recording: RECORDING_VERSION, provider: provider.name })
  return {
    name: provider.name,
    findPrice: (model) => provider.findPrice(model),
    async generate(request, io) {
      const texts: string[] = []
      const tellText = (text: string): void => {
        texts.push(text)
        io.onText?.(text)
      }
      const watched = io.onText === undefined ? io : { ...io, onText: tellText }
      const about = {
        ...describe(provider, request),
        ...(io.onText === undefined ? {} : { texts }),
      }
      try {
        const reply = await provider.generate(request, watched)
        append(file, { ...about, reply })
        return reply
      } catch (error) {
        if (error instanceof ModelFailure) append(file, { ...about, failure: toRecorded(error) })
        throw error
      }
    },
  }
}

function describe(
  provider: ModelProvider,
  request: ModelRequest,
): Pick<RecordedCall, 'request_hash' | 'request' | 'price'> {
  const price = provider.findPrice(request.model)
  return {
    request_hash: computeRequestHash(request, sha256),
    request,
    ...(price === undefined ? {} : { price }),
  }
}

function toRecorded(failure: ModelFailure): RecordedFailure {
  const { code, message, charged, retryAfterMs, details, raw } = failure
  return {
    code,
    message,
    charged,
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    details,
    ...(raw === undefined ? {} : { raw }),
  }
}

function append(file: string, line: Parameters<typeof toCanonicalText>[0]): void {
  appendFileSync(file, `${toCanonicalText(line)}\n`, { mode: 0o600 })
}
