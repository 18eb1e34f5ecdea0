/** What became of a request to a model, as it is recorded: what the entry says, what it cost, and what was said. */
import {
  type AdvicePayload,
  type Budget,
  checkJson,
  computeAddressOfText,
  type GenerationPayload,
  LIMITS,
  type Sha256,
  shorten,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ModelFailure, ModelReply } from '../../ports/model.ts'

type Found<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type AboutAsking =
  | 'salt'
  | 'writ_id'
  | 'source'
  | 'generation_id'
  | 'provider'
  | 'model'
  | 'request_hash'
  | 'grammar_hash'
  | 'used'

export type GenerationEnd = {
  readonly found: Found<GenerationPayload, AboutAsking>
  readonly used: Budget
  /** The body as it came; null: there is none to keep. */
  readonly response: string | null
  /** What the provider said of a failure. */
  readonly failure: string | null
}

/** Of a request that was not left behind. */
export type HeardEnd = Omit<GenerationEnd, 'found'> & {
  readonly found: Found<
    AdvicePayload,
    AboutAsking | 'adviser' | 'by' | 'step_id' | 'proposal_hash' | 'cost' | 'opinion'
  >
}

export function buildAnsweredEnd(sha256: Sha256, reply: ModelReply, used: Budget): HeardEnd {
  const { model, usage, stop, raw } = reply
  const response_hash = computeAddressOfText('model-reply', raw, sha256)
  const found = { finding: 'answered', answered_by: model, response_hash, usage, stop } as const
  return { found, used, response: raw, failure: null }
}

export function buildFailedEnd(sha256: Sha256, failure: ModelFailure, reserved: Budget): HeardEnd {
  const { code, charged, raw } = failure
  const kept = isKept(raw) ? raw : null
  const hash = kept === null ? null : computeAddressOfText('model-reply', kept, sha256)
  return {
    found: {
      ...{ finding: 'failed', reason_code: code, charged },
      ...(hash === null ? {} : { response_hash: hash }),
    },
    used: charged ? reserved : {},
    response: kept,
    failure: describeFailure(failure),
  }
}

/** For people who look into it; agents are told the code. */
function describeFailure({ message, details }: ModelFailure): string {
  const read = checkJson(details)
  const said = read.ok && read.value !== null ? ` ${toCanonicalText(read.value)}` : ''
  return shorten(`${message}${said}`, LIMITS.wordsLength)
}

function isKept(raw: string | undefined): raw is string {
  return raw?.isWellFormed() === true && raw.length <= LIMITS.modelReplyBytes
}
