/** The way in for what guards and auditors say: whatever is not of the agreed form is no answer. */
import { checkJson, isObject, type JsonValue } from 'rubicon-kernel'
import type { AuditedStep, AuditFinding } from '../../ports/semantic-auditor.ts'
import type { GuardFinding } from '../../ports/soft-guard.ts'

export function parseGuardFinding(answer: unknown): GuardFinding | undefined {
  const said = parsePlainJson(answer)
  if (said === undefined || !isObject(said)) return undefined
  const { mismatch, why } = said
  if (typeof mismatch !== 'boolean' || typeof why !== 'string') return undefined
  return { mismatch, why }
}

/** One for every step that was shown, and about nothing else. */
export function parseAuditFindings(
  answer: unknown,
  steps: readonly AuditedStep[],
): readonly AuditFinding[] | undefined {
  const said = parsePlainJson(answer)
  if (!Array.isArray(said) || said.length !== steps.length) return undefined
  const items: readonly JsonValue[] = said
  const found: AuditFinding[] = []
  for (const { dfid, step_id } of steps) {
    const about = items.find(
      (item) => isObject(item) && item.dfid === dfid && item.step_id === step_id,
    )
    const finding = about === undefined ? undefined : parseAuditFinding(about)
    if (finding === undefined) return undefined
    found.push(finding)
  }
  return found
}

function parseAuditFinding(said: JsonValue): AuditFinding | undefined {
  if (!isObject(said)) return undefined
  const { dfid, step_id, verdict, why } = said
  if (verdict !== 'aligned' && verdict !== 'drifted' && verdict !== 'no_opinion') return undefined
  if (typeof dfid !== 'string' || typeof step_id !== 'string') return undefined
  return typeof why === 'string' ? { dfid, step_id, verdict, why } : undefined
}

function parsePlainJson(answer: unknown): JsonValue | undefined {
  const checked = checkJson(answer)
  return checked.ok ? checked.value : undefined
}
