import { canonicalText, type Failure, type JsonValue, ok, type Result } from 'rubicon-kernel'
import { signDocument } from '../sign.ts'
import { appendAuthority, entered, type Registrar } from './append-authority.ts'

/** Records the rules in force, if they are not the ones already recorded. */
export async function recordRules(registrar: Registrar): Promise<Result<void, Failure>> {
  const { book } = registrar
  const capabilities = book.capabilities().map(({ law }) => law.description)
  const body = { rules_hash: book.hash, rules: book.ruleSet, capabilities }
  const wanted = canonicalText(body as unknown as JsonValue)
  const done = await appendAuthority(registrar, async (authority) => {
    const recorded =
      authority.rules === null ? null : canonicalText(authority.rules as unknown as JsonValue)
    if (recorded === wanted) return entered()
    const signature = await signDocument(registrar, 'kernel', 'policy', body)
    return entered({ kind: 'policy', payload: { body, signature } })
  })
  return done.ok ? ok(undefined) : done
}
