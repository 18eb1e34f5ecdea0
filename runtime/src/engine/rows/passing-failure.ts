/** What is in the way of every call and passes by itself, or by an operator's hand. Null: it is not that. */
import type { Failure } from 'rubicon-kernel'
import { SignerUnavailable } from '../../ports/signer.ts'
import { StoreError } from '../../ports/store.ts'
import { RegistryUnavailable } from './registry-unavailable.ts'
import { KeyMissing } from './sign.ts'

export function toPassingFailure(error: unknown): Failure | null {
  if (error instanceof RegistryUnavailable || error instanceof SignerUnavailable)
    return error.failure
  if (error instanceof KeyMissing) return error.failure
  if (!(error instanceof StoreError) || error.code !== 'CLOCK_SKEW') return null
  const why = 'deadlines would pass too early, or never'
  return { code: 'CLOCK_SKEW', summary: error.message, why, fix: error.fix }
}
