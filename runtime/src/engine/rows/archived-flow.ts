/** Whether the payloads of a flow lie in an archive, as its row has it. */
import type { Failure } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'

export function isArchived({ tags }: Pick<FlowRow, 'tags'>): boolean {
  return tags.includes('ARCHIVED')
}

export function buildFlowArchivedFailure(dfid: string): Failure {
  return {
    code: 'FLOW_ARCHIVED',
    summary: `flow \`${dfid}\` is archived`,
    why: 'what it said lies in an archive file, not in the store',
    fix: '`rubicon archive list` names the file; `rubicon archive restore FILE --apply` puts it back',
  }
}
