/** What is kept of requests to models, beside the ledger. */
import type { Address } from 'rubicon-kernel'

export type OpenGeneration = {
  readonly generation_id: string
  readonly dfid: string
  /** As the runtime has it under that name. */
  readonly provider: string
  readonly model: string
  readonly request_hash: Address
  /** What the reply is held to; absent: nothing. */
  readonly grammar_hash?: Address
  /** The largest possible cost, by measure. */
  readonly reserved: Readonly<Record<string, string>>
  /** In which window of the agent's budget. */
  readonly reserved_at: string
  /** Of the engine that asks. */
  readonly epoch: number
}

export type GenerationText = {
  /** Canonical. */
  readonly request: string
  /** The body as it came; null: none did, or it was too long. */
  readonly response: string | null
  /** What a provider said when it failed, for people: message and details; null: it did not. */
  readonly failure: string | null
}
