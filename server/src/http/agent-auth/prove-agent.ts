/**
 * Whether an agent's request was signed by the key of its session, now, and once. What is cheap comes
 * first; the signature is checked in the thread pool, so that decisions go on meanwhile.
 *
 * R1 a token alone is nobody: whoever found one in a log cannot ask with it.
 * R2 a request counts once in this process, also when two copies arrive at the same moment.
 * R3 what was signed before this process started does not count: it may have counted before. What was
 *    signed ahead of its time is remembered in the store.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { buildSignedBytes } from 'rubicon-agents'
import {
  decodeBase64,
  err,
  type Failure,
  formatInstant,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Context } from 'rubicon-runtime/engine'
import type { AgentInSession } from '../../people/principal.ts'
import { buildHttpProblem, type HttpCode } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import { getIdempotencyKey, hasProof, parseProof } from './agent-proof.ts'
import { isFirstUse } from './ahead-nonces.ts'
import { Nonces } from './nonces.ts'

export type SignedRequest = {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

type ProofContext = Pick<Context, 'clock' | 'checker' | 'store'>

export class ProofCheck {
  readonly #context: ProofContext
  readonly #nonces = new Nonces()
  readonly #since: number

  constructor(context: ProofContext) {
    this.#context = context
    this.#since = toSeconds(context.clock.now())
  }

  /** The digest that the body must have. */
  async prove(
    { agent_id, key }: AgentInSession,
    { method, target, headers }: SignedRequest,
  ): Promise<Result<string, Reply>> {
    const proof = parseProof(headers)
    if (proof === null) return refuse(hasProof(headers) ? 'PROOF_INVALID' : 'PROOF_MISSING')
    const { created, nonce, digest, sig } = proof
    const at = this.#context.clock.now()
    const now = toSeconds(at)
    const isYoung = Math.abs(now - created) <= LIMITS.proofMs / 1000
    // Whoever keeps another time is told which one counts here.
    if (!isYoung || created < this.#since) return refuse('PROOF_STALE', { now: formatInstant(at) })
    if (this.#nonces.has(agent_id, created, nonce)) return refuse('PROOF_REPLAYED')
    const raw = decodeBase64(key.public_key)
    if (proof.keyid !== key.key_id || raw === undefined) return refuse('PROOF_INVALID')
    const { authorization = '' } = headers
    const signed = { method, target, authorization, key: getIdempotencyKey(headers) }
    const bytes = buildSignedBytes(signed, proof)
    if (!(await this.#context.checker.verify(raw, bytes, sig))) return refuse('PROOF_INVALID')
    switch (this.#nonces.take(agent_id, created, nonce, now)) {
      case 'new': {
        const isFirst = await isFirstUse(this.#context, agent_id, proof)
        return isFirst ? ok(digest) : refuse('PROOF_REPLAYED')
      }
      case 'known':
        return refuse('PROOF_REPLAYED')
      case 'full':
        return refuse('RATE_LIMITED')
    }
  }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

function refuse(code: HttpCode, meta?: Failure['meta']): Result<never, Reply> {
  return err(buildHttpProblem(code, undefined, meta))
}
