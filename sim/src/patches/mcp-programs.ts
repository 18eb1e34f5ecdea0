/** Mistakes about the programs behind the gateway, and about what hostile ones do. */
import type { Edit, Patch } from './patch.ts'

const TRANSPORT = 'gateway/src/upstream/program-transport.ts'
const UPSTREAM = 'gateway/src/upstream/upstream.ts'
const HANDS = 'gateway/src/upstream/mcp-hands.ts'

function plant(name: string, title: string, edit: Edit): Patch {
  const file = 'gateway/src/upstream/program-transport.test.ts'
  return { name, test: { file, title }, edits: [edit] }
}

/** What a sample of the tricks finds. */
function plantTricked(name: string, edit: Edit): Patch {
  const title = 'hostile servers and clients do nothing twice, unapproved, unknown or outside'
  return { name, test: { file: 'sim/src/mcp/mcp.test.ts', title }, edits: [edit] }
}

const PINNED = 'gateway/src/upstream/send-pinned.ts'

/** About servers at an address. */
function plantPinned(name: string, title: string, ...edits: readonly Edit[]): Patch {
  return { name, test: { file: 'gateway/src/upstream/send-pinned.test.ts', title }, edits }
}

export const MCP_PROGRAM_PATCHES: readonly Patch[] = [
  plantPinned(
    'mcp-forgotten-session-read-in',
    'a server at an address that was started again is greeted again by whoever only reads there',
    {
      ...{ file: UPSTREAM, function: 'leaveForgotten' },
      before: 'cause.status === 404',
      after: 'cause.status === 0',
    },
  ),
  plantTricked('mcp-pin-not-compared', {
    ...{ file: HANDS, function: 'findPinned' },
    before: 'found !== pin)\n    throw',
    after: "pin === '')\n    throw",
  }),
  plantTricked('mcp-call-sent-again', {
    ...{ file: 'gateway/src/upstream/exchange.ts', function: 'exchange' },
    before: 'throw new Error(server.describe(cause))',
    after: `const timeoutMs = chooseTimeout(question)
    return readAnswer(server, question, await question.send({ ...given, timeoutMs, markSent }))`,
  }),
  plantTricked('mcp-call-sent-on', {
    ...{ file: PINNED, function: 'createPinnedSend' },
    before: 'return exchangeOn(socket, wanted, init, signal)',
    after: `return exchangeOn(socket, wanted, init, signal).catch((cause: unknown) => {
      if (!String(cause).includes('redirect')) throw cause
      return fetch(new URL('again', wanted), { ...init, redirect: 'follow' })
    })`,
  }),
  plantTricked('mcp-ids-given-twice', {
    ...{ file: 'gateway/src/front/call-names.ts', function: 'readCallNames' },
    before: 'conversation !== undefined && named.length',
    after: 'conversation === undefined && named.length',
  }),
  plantTricked('mcp-coded-answer-taken-for-none', {
    ...{ file: PINNED, function: 'toResponse' },
    before: "if (encoding !== 'identity') throw new Error('its answer is in a coding')",
    after: "if (encoding !== 'identity') throw new NotApplied('its answer is in a coding')",
  }),
  plantTricked('mcp-approval-skipped', {
    ...{ file: 'kernel/src/compile/09-policy.ts', function: 'findContractTriggers' },
    before: 'contract.safety_rules.requires_human_approval.includes(kind)',
    after:
      "contract.safety_rules.requires_human_approval.includes(kind) && !kind.startsWith('mcp.')",
  }),
  plant('mcp-program-closed-alone', 'nothing of a program is left when it crashes', {
    ...{ file: TRANSPORT, function: '#finish' },
    before: "sendToGroup(pid, 'SIGKILL')",
    after: '',
  }),
  plant(
    'mcp-program-asked-to-end-for-ever',
    'nothing of a program is left when it is closed, also where it does not want to end',
    {
      ...{ file: TRANSPORT, function: 'close' },
      before: "sendToGroup(pid, 'SIGKILL')\n    await this.#ended.promise",
      after: '',
    },
  ),
  plant(
    'mcp-program-outlives-the-gateway',
    'nothing of a program is left when the gateway is killed',
    {
      ...{ file: TRANSPORT, function: 'start' },
      before: 'watchGroup(pid)',
      after: '',
    },
  ),
  plant('mcp-close-waits-for-a-greeting', 'closing does not wait for a server that never greets', {
    ...{ file: UPSTREAM, function: 'close' },
    before: 'await this.#client?.close()',
    after: 'await this.#connection?.catch(() => null)\n    await this.#client?.close()',
  }),
  plant(
    'mcp-program-given-all-variables',
    'a program is given the variables that the file names, and none of the gateway',
    {
      ...{ file: TRANSPORT, function: 'start' },
      before: '...readVariables(), ...this.#texts',
      after: '...process.env, ...this.#texts',
    },
  ),
  plant(
    'mcp-message-of-any-length',
    'a line is one, in however many pieces it comes, and none is longer than it may',
    {
      ...{ file: 'gateway/src/upstream/message-lines.ts', function: '#add' },
      before: 'this.#length > this.#mostBytes',
      after: 'this.#mostBytes < 0',
    },
  ),
  plant(
    'mcp-error-output-with-secrets',
    'what a server writes to its standard error is kept without its secrets, and only the newest of it',
    {
      ...{ file: UPSTREAM, function: '#open' },
      before: 'this.errors.setRedaction(this.redaction)',
      after: '',
    },
  ),
  plant(
    'mcp-program-started-at-once-again',
    'a server that ends again and again is started less and less often',
    {
      ...{ file: UPSTREAM, function: '#release' },
      before: 'this.#connectedAt !== null && now - this.#connectedAt >= STEADY_MS',
      after: 'this.#connectedAt !== null',
    },
  ),
  plant(
    'mcp-flood-read-as-it-comes',
    'what comes faster than it may is told to wait until the second is over',
    {
      ...{ file: 'gateway/src/upstream/pace.ts', function: 'take' },
      before: 'this.#taken <= this.#most',
      after: 'this.#taken >= 0',
    },
  ),
  plantPinned(
    'mcp-redirect-followed',
    'a call that is answered with a redirect or a demand goes nowhere else, and not again',
    {
      ...{ file: PINNED, function: 'toResponse' },
      before: 'status >= 300 && status < 400',
      after: 'status < 0',
    },
    {
      ...{ file: UPSTREAM, function: '#createTransport' },
      before: ", redirect: 'error'",
      after: '',
    },
  ),
  plantPinned(
    'mcp-not-connected-is-unknown',
    'a server that cannot be connected to was not sent the call',
    {
      ...{ file: PINNED, function: 'isNotSent' },
      before: 'cause instanceof NotApplied',
      after: 'cause === null',
    },
  ),
  plantPinned(
    'mcp-cut-off-told-as-nothing',
    'a connection that ends in the middle of a call leaves open what became of it',
    {
      ...{ file: PINNED, function: 'exchangeOn' },
      before: "request.on('error', reject)",
      after: "request.on('error', (error) => reject(new NotApplied(error.message)))",
    },
  ),
  plantPinned(
    'mcp-session-kept-for-ever',
    'a server at an address that was started again is greeted again',
    {
      ...{ file: UPSTREAM, function: 'listTools' },
      before: "this.config.kind === 'address'",
      after: "this.name === ''",
    },
  ),
  plantPinned('mcp-sent-to-another-origin', 'nothing is sent to another origin', {
    ...{ file: PINNED, function: 'createPinnedSend' },
    before: 'wanted.origin !== pinned.origin',
    after: "wanted.origin === ''",
  }),
  plantPinned(
    'mcp-connected-in-any-network',
    'a name that leads to another network than it may is not connected to',
    {
      ...{ file: PINNED, function: 'createPinnedSend' },
      before: 'resolveAllowed(target, resolve)',
      after: 'resolve(target.host)',
    },
  ),
]
