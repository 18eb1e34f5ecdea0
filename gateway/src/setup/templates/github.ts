import type { BoundArgument, ServerTemplate, TemplateTool } from './server-template.ts'

const OF: readonly BoundArgument[] = [
  { bound: 'owners', at: '/owner' },
  { bound: 'repositories', at: '/repo' },
]
const READS: TemplateTool = { class: 'read', names: OF }
const WRITES: TemplateTool = { class: 'write', names: OF }
const TO_BRANCH: TemplateTool = {
  class: 'write',
  names: [...OF, { bound: 'branches', at: '/branch' }],
}

/** Servers of forges: whose repository, which repository, and for what changes it, which branch. */
export const GITHUB: ServerTemplate = {
  name: 'github',
  knownBy: ['create_or_update_file', 'push_files', 'create_pull_request', 'get_pull_request'],
  tools: {
    get_file_contents: { ...READS, ways: ['/path'] },
    get_issue: READS,
    get_commit: { ...READS, ways: ['/sha'] },
    get_pull_request: READS,
    get_pull_request_files: READS,
    get_pull_request_status: READS,
    get_pull_request_comments: READS,
    get_pull_request_reviews: READS,
    list_branches: READS,
    list_commits: READS,
    list_issues: READS,
    list_pull_requests: READS,
    add_issue_comment: { ...WRITES, leaves: ['/body'] },
    create_issue: { ...WRITES, leaves: ['/body'] },
    update_issue: WRITES,
    create_pull_request: { ...WRITES, leaves: ['/body'] },
    create_pull_request_review: WRITES,
    update_pull_request_branch: WRITES,
    create_branch: TO_BRANCH,
    create_or_update_file: { ...TO_BRANCH, ways: ['/path'], leaves: ['/content'] },
    push_files: { ...TO_BRANCH, measures: { files: { count: true, of: '/files/*' } } },
    delete_file: { ...TO_BRANCH, ways: ['/path'], class: 'destroy' },
    merge_pull_request: { class: 'destroy', names: OF },
  },
  limits: [{ measure: 'files', max: '64' }],
}
