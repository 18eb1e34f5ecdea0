/** Mistakes of approvals about the list that they leave behind. */
import type { Edit, Patch } from './patch.ts'

const APPROVE = 'gateway/src/lock/approve-tools.ts'

const LEFT = 'gateway/src/lock/approve-tools.test.ts'
const WAITED = 'server/src/mcp/approve-tool.test.ts'

function plant(name: string, title: string, edit: Edit, file: string = LEFT): Patch {
  return { name, test: { file, title }, edits: [edit] }
}

export const MCP_LOCK_PATCHES: readonly Patch[] = [
  plant(
    'mcp-approved-in-two-cases',
    'a tool that is approved in another case than before leaves no list that cannot be read',
    {
      ...{ file: APPROVE, function: 'approveTools' },
      before: '!replaced.has(one.definition.name.toLowerCase())',
      after: '!names.includes(one.definition.name)',
    },
  ),
  plant(
    'mcp-approved-as-what-it-was',
    'a tool is not approved as what it was where its class speaks of arguments that it has no more',
    {
      ...{ file: APPROVE, function: 'approveTools' },
      before: 'if (!ruled.ok) {',
      after: "if (!ruled.ok && one.state === 'refused') {",
    },
  ),
  plant(
    'mcp-changed-into-ungovernable',
    'a tool that has changed into one that cannot be governed is shown as refused, and the others can be approved',
    {
      ...{ file: 'gateway/src/lock/compare-tools.ts', function: 'compareTool' },
      before: 'return why === null',
      after: 'return why !== undefined',
    },
  ),
  plant('mcp-lock-written-unread', 'a list that could not be read afterwards is not written', {
    ...{ file: 'gateway/src/lock/change-lock.ts', function: 'changeLock' },
    before: 'if (!read.ok) return read',
    after: 'void read',
  }),
  plant(
    'mcp-approval-waits-for-others',
    'an approval does not wait for a server that it is not about',
    {
      ...{ file: 'server/src/mcp/approve-tool.ts', function: 'approveInLock' },
      before: 'compareTools(pickServer(gateway, asked.server), lock, sha256)',
      after: 'compareTools(gateway.servers, lock, sha256)',
    },
    WAITED,
  ),
  plant(
    'mcp-tools-shown-by-the-slowest',
    'whoever looks at tools does not wait for a server that says nothing',
    {
      ...{ file: 'gateway/src/lock/compare-tools.ts', function: 'listWithin' },
      before: 'if (waitMs === undefined)',
      after: 'if (waitMs !== 0)',
    },
    WAITED,
  ),
]
