import type { BoundArgument, ServerTemplate, TemplateTool } from './server-template.ts'

const REPOSITORY: BoundArgument = { bound: 'repositories', at: '/repo_path' }
const READS: TemplateTool = { class: 'read', names: [REPOSITORY] }
const BRANCH: BoundArgument = { bound: 'branches', at: '/branch_name' }

export const GIT: ServerTemplate = {
  name: 'git',
  knownBy: ['git_status', 'git_diff', 'git_log'],
  tools: {
    git_status: READS,
    git_diff_unstaged: READS,
    git_diff_staged: READS,
    git_diff: { ...READS, words: ['/target'] },
    git_log: READS,
    git_show: { ...READS, words: ['/revision'] },
    git_branch: READS,
    git_add: {
      class: 'write',
      names: [REPOSITORY],
      measures: { files: { count: true, of: '/files/*' } },
    },
    git_commit: { class: 'write', names: [REPOSITORY], leaves: ['/message'] },
    git_create_branch: { class: 'write', names: [REPOSITORY, BRANCH], words: [BRANCH.at] },
    git_checkout: { class: 'write', names: [REPOSITORY, BRANCH], words: [BRANCH.at] },
    git_reset: { class: 'destroy', names: [REPOSITORY] },
  },
  limits: [{ measure: 'files', max: '64' }],
}
