/** What comes before the gate, and what becomes of it there. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../../people/principal.ts'
import { buildHttpProblem, type HttpCode } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import type { RequestSlot } from '../turns/under-way.ts'

export type IncomingRequest = {
  /** Path and query, as in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** Where it comes from. */
  readonly address: string
  /** What the connection comes from; null: it is one inside of this machine. */
  readonly peer: string | null
}

export type Passed = AdmittedRequest | Refusal

export type AdmittedRequest = Proven & {
  /** Among the requests under way. */
  readonly place: RequestSlot
  /** For a request that turns out to be many: so many more of them. False: that is too much, and none is charged. */
  readonly charge: (more: number) => boolean
}

export type Proven = {
  readonly principal: Principal
  /** That the body must have, if whoever asks signed for it. */
  readonly digest?: string
}

export type Refusal = {
  readonly refusal: Reply
  /** Whoever it turned out to be. */
  readonly principal?: Principal
}

export function toRefusal(code: HttpCode): Refusal {
  return { refusal: buildHttpProblem(code) }
}
