/** Keys in ordinary words. */
import type { KeyRecord } from 'rubicon-agents/client'
import type { Standing } from '../../../parts/status.tsx'

export const PURPOSE_WORDS: Readonly<Record<KeyRecord['purpose'], string>> = {
  kernel: 'kernel: signs decisions',
  checkpoint: 'checkpoint: signs the ledger',
  issuer: 'issuer: signs writs',
  operator: 'operator: signs changes of authority',
  witness: 'witness: confirms the ledger',
  agent: 'agent: signs proposals and sessions',
  approver: 'approver: signs decisions of a person',
}

export function describeKeyState({ in_use, compromised_since_seq }: KeyRecord): {
  readonly standing: Standing
  readonly word: string
} {
  if (compromised_since_seq !== undefined) return { standing: 'rejected', word: 'compromised' }
  return in_use
    ? { standing: 'allowed', word: 'in use' }
    : { standing: 'repeated', word: 'retired' }
}

/** Ended by a token, from anywhere; keys of the runtime itself by whoever holds the machine. */
export function isChangedByToken({ purpose }: Pick<KeyRecord, 'purpose'>): boolean {
  return purpose === 'agent' || purpose === 'approver'
}
