/** What is meant where a module is named: not all of it, but what is taken of it there. */

import { ARTIFACT_LIMITS } from '../limits.ts'
import type { Span } from '../text/span.ts'
import { listMembersBehind } from './member-chain.ts'
import type { Project } from './project.ts'
import { type ExportTarget, resolveExport } from './resolve-export.ts'

export function toRealTarget(
  project: Project,
  name: string,
  at: Span,
  to: ExportTarget,
): ExportTarget {
  const parsed = project.artifacts.get(name)?.parsed ?? null
  if (to.kind !== 'module' || parsed === null) return to
  let target: ExportTarget = to
  for (const member of listMembersBehind(parsed, at, ARTIFACT_LIMITS.memberChain)) {
    if (target.kind !== 'module') return target
    target = resolveExport(project, target.artifact, member.name)
  }
  return target
}
