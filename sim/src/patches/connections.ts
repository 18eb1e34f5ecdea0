/** Mistakes about connections: what a stranger holds, he keeps. */
import type { Patch } from './patch.ts'

export const CONNECTION_PATCHES: readonly Patch[] = [
  {
    name: 'refused-connections-stay',
    findings: ['31a'],
    edits: [
      {
        file: 'server/src/http/problems/client-error.ts',
        function: 'handleClientError',
        before: 'socket.destroySoon()',
        after: 'socket.end()',
      },
    ],
  },
  {
    name: 'one-address-takes-all',
    findings: ['31b'],
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: '#take',
        before: 'if ((own?.size ?? 0) >= each) return void socket.destroy()',
        after: '',
      },
    ],
  },
  {
    name: 'this-machine-shut-out-by-one-process',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: '#cut',
        before: 'if (owner === null || THIS_MACHINE.has(owner)) return',
        after: 'if (owner === null) return',
      },
    ],
  },
  {
    name: 'bodies-that-never-come-keep-their-place',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'isUnfinished',
        before: 'first !== undefined && !first.message.complete',
        after: 'first === undefined',
      },
    ],
  },
  {
    name: 'work-given-up-for-somebody-new',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'isUnfinished',
        before: '&& !first.message.complete',
        after: '',
      },
    ],
  },
  {
    name: 'bytes-that-are-sent-count-as-taken',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'stopReadingUntaken',
        before: 'isSent && socket.writableLength > 0',
        after: 'isSent && socket.writableLength < 0',
      },
    ],
  },
  {
    name: 'bytes-that-are-sent-keep-a-download',
    edits: [
      {
        file: 'server/src/http/turns/text-stream.ts',
        function: 'start',
        before: 'response.socket.pause()',
        after: 'response.socket.ref()',
      },
    ],
  },
  {
    name: 'untaken-answers-keep-their-place',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'isUntaken',
        before: 'return isSent',
        after: 'return isSent && false',
      },
    ],
  },
  {
    name: 'untaken-answers-wait-for-good',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'begin',
        before: 'socket.setTimeout(this.#limits.stallMs)',
        after: '',
      },
    ],
  },
  {
    name: 'work-cut-off-for-the-answer-before',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'begin',
        before: 'socket.setTimeout(0)',
        after: '',
      },
    ],
  },
  {
    name: 'expectations-answered-by-the-library',
    edits: [
      {
        file: 'server/src/http/server.ts',
        function: 'createApp',
        before: "server.on('checkExpectation', begin)",
        after: '',
      },
    ],
  },
  {
    name: 'requests-begin-all-at-once',
    edits: [
      {
        file: 'server/src/http/server.ts',
        function: 'mount',
        before: '!stops && !(await turns.wait(asker, isGone))',
        after: 'isGone()',
      },
    ],
  },
  {
    name: 'stops-wait-for-requests',
    edits: [
      {
        file: 'server/src/http/server.ts',
        function: 'mount',
        before: '!stops && !(await turns.wait(asker, isGone))',
        after: '!(await turns.wait(asker, isGone))',
      },
    ],
  },
  {
    name: 'newcomers-wait-for-requests',
    edits: [
      {
        file: 'server/src/http/turns/request-turns.ts',
        function: '#beginAll',
        before: 'await this.#takeNewcomers(this.#clock.monotonic() - since)',
        after: 'await this.#takeNewcomers(since - since)',
      },
    ],
  },
  {
    name: 'askers-begin-as-they-come',
    edits: [
      {
        file: 'server/src/http/turns/request-turns.ts',
        function: 'wait',
        before: 'this.#waiting.push(asker, {',
        after: "this.#waiting.push('all', {",
      },
    ],
  },
  {
    name: 'ended-session-stays-known',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#authenticateRequest',
        before: 'this.#known.forget(',
        after: 'String(',
      },
    ],
  },
]
