/** Mistakes at the door for MCP clients, and about a person's yes to a tool. */
import type { Edit, Patch } from './patch.ts'

const DOOR = 'server/src/http/routes/mcp-door.ts'
const APPROVED = 'runtime/src/engine/authority/registry/approved-capabilities.ts'
const APPROVED_TEST = 'runtime/src/engine/authority/registry/approved-capabilities.test.ts'
const ROUTES_TEST = 'server/src/http/routes/mcp-door.test.ts'
const DOOR_TEST = 'server/src/cli/mcp-http.test.ts'
const OPENED =
  'the door is opened by its own tokens, from this server, and with messages of its size'
const CHANGED = 'a tool that has changed is not called, told once, and approved by its pin'

function plant(name: string, title: string, edit: Edit, file: string = DOOR_TEST): Patch {
  return { name, test: { file, title }, edits: [edit] }
}

export const MCP_DOOR_PATCHES: readonly Patch[] = [
  plant('mcp-token-of-any-audience', OPENED, {
    ...{ file: 'server/src/people/principal.ts', function: 'hasRole' },
    before:
      "if (principal.kind === 'agent' || principal.kind === 'mcp') return roles.includes(principal.kind)",
    after: "if (principal.kind === 'agent' || principal.kind === 'mcp') return true",
  }),
  plant('mcp-token-replaced-and-valid', OPENED, {
    ...{ file: 'server/src/people/mcp-tokens.ts', function: 'replaceMcpToken' },
    before: '(one) => one.agent !== agent || one.tenant !== tenant',
    after: '() => true',
  }),
  plant('mcp-token-for-who-must-sign', OPENED, {
    ...{ file: 'server/src/http/routes/mcp-door.ts', function: 'findSignatureProblem' },
    before: 'requires_signature !== true',
    after: 'requires_signature !== undefined',
  }),
  plant(
    'mcp-place-of-who-hung-up',
    'whoever hung up before an answer that ends by itself has no place any more, and nobody goes on producing it',
    {
      ...{ file: 'server/src/http/events/response-stream.ts', function: 'start' },
      before: 'if (response.destroyed) this.#leave()',
      after: 'if (this.#response === null) this.#leave()',
    },
    'server/src/http/events/response-stream.test.ts',
  ),
  plant(
    'large-calls-behind-a-slow-tool',
    'a large call waits behind another one that a server behind takes long for',
    {
      ...{ file: 'server/src/http/turns/large-requests.ts', function: 'handle' },
      before: 'setTimeout(leave, HELD_MS)',
      after: 'setTimeout(() => {}, HELD_MS)',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-batch-charged-as-one',
    'a batch is one request where it is counted, whatever number of messages it has',
    {
      ...{ file: DOOR, function: 'createMcpDoorRoutes' },
      before: 'asked.charge(messages - 1)',
      after: 'asked.charge(0)',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-batch-under-way-as-one',
    'a batch takes one place among the requests under way, or is of any length',
    {
      ...{ file: DOOR, function: 'createMcpDoorRoutes' },
      before: 'underWay.enter(principal.agent_id, messages)',
      after: 'underWay.enter(principal.agent_id)',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-approval-of-the-kind-alone',
    'nothing rides along with a capability that was approved',
    {
      ...{ file: APPROVED, function: 'isApprovedAlone' },
      before: 'approval?.body.capability_hash !== hash',
      after: 'approval === null',
    },
    APPROVED_TEST,
  ),
  plant(
    'mcp-approval-with-other-rules',
    'nothing rides along with a capability that was approved',
    {
      ...{ file: APPROVED, function: 'isApprovedAlone' },
      before: 'held.hash !== recorded.law.hash',
      after: "held.hash === ''",
    },
    APPROVED_TEST,
  ),
  plant(
    'mcp-approval-on-a-shared-store',
    'where other processes decide too, an approval puts nothing in force',
    {
      ...{ file: APPROVED, function: 'isApprovedAlone' },
      before: 'store.shared ||',
      after: '',
    },
    APPROVED_TEST,
  ),
  plant(
    'mcp-approval-counts-twice',
    'an approval that nobody used ends with the next change that somebody accepts for its kind',
    {
      ...{ file: APPROVED, function: 'buildUsedApprovals' },
      before: 'kinds.map(',
      after: 'kinds.slice(kinds.length).map(',
    },
    APPROVED_TEST,
  ),
  plant('mcp-approved-as-it-is-by-then', CHANGED, {
    ...{ file: 'server/src/mcp/approve-tool.ts', function: 'findOther' },
    before: 'if (found === pin) return undefined',
    after: 'if (found === pin || pin !== found) return undefined',
  }),
  plant('mcp-drift-told-with-every-call', CHANGED, {
    ...{ file: 'runtime/src/engine/notices/tool-drift.ts', function: 'tellToolDrift' },
    before: "guards: [{ kind: 'counter', id: told, by: 1, limit: 1 }]",
    after: 'guards: []',
  }),
  plant('mcp-approval-in-use-at-once', CHANGED, {
    ...{ file: 'server/src/mcp/tool-states.ts', function: 'describeTool' },
    before: 'findLocked(held, one)',
    after: 'findLocked(lock, one)',
  }),
  plant(
    'mcp-token-in-clear-text',
    'a token of an MCP client is taken from another machine in clear text',
    {
      ...{ file: 'server/src/http/connections/protected-way.ts', function: 'isProtectedWay' },
      before: 'return publicUrl',
      after: 'return proxies === undefined || publicUrl',
    },
    'server/src/http/connections/protected-way.test.ts',
  ),
  plant(
    'mcp-token-passed-on',
    'credentials of an MCP client reach the gateway, and could be passed on',
    {
      ...{ file: DOOR, function: 'buildRequest' },
      before: 'of PASSED_ON',
      after: "of [...PASSED_ON, 'authorization']",
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-answers-cut-off',
    'an answer that is on its way is cut off by a server that stops',
    {
      ...{ file: 'server/src/http/events/response-stream.ts', function: 'stop' },
      before: 'if (!this.#options.endless) return',
      after: 'this.#options',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-results-told-after-the-token',
    'an answer is told to whom, by then, no token lets in',
    {
      ...{ file: 'server/src/http/events/response-stream.ts', function: '#run' },
      before: 'if ((await this.#options.ended()) !== null) break',
      after: 'if (this.#options.endless && (await this.#options.ended()) !== null) break',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-lists-told-after-the-token',
    'an answer is told to whom, by then, no token lets in',
    {
      ...{ file: DOOR, function: 'answer' },
      before: '(await ended()) ??',
      after: '',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-places-kept-by-who-is-gone',
    'a client that has hung up leaves its answer being made, or its place taken',
    {
      ...{ file: DOOR, function: 'answer' },
      before: 'onOver: () => slot.leave()',
      after: 'onOver: () => {}',
    },
    ROUTES_TEST,
  ),
  plant(
    'mcp-approved-by-who-was',
    'a tool is approved by whoever may not, without a reason, or after the role was taken away',
    {
      ...{ file: 'server/src/http/routes/mcp.ts', function: 'approve' },
      before: 'refused = await ended()',
      after: 'await ended()',
    },
    ROUTES_TEST,
  ),
]
