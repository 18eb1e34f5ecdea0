import { ARTIFACT_LIMITS } from '../limits.ts'
import type { DeltaProblem } from './plan.ts'

export function checkFragmentLength(fragment: string): DeltaProblem | null {
  if (fragment.length <= ARTIFACT_LIMITS.fragmentBytes) return null
  const detail = `a fragment has at most ${ARTIFACT_LIMITS.fragmentBytes} characters`
  return { code: 'FRAGMENT_INVALID', detail }
}
