/** Mistakes about connections: what a stranger holds, he keeps. */
import type { Patch } from './patch.ts'

export const CONNECTION_PATCHES: readonly Patch[] = [
  {
    name: 'refused-connections-stay',
    findings: ['31a'],
    edits: [
      {
        file: 'runtime/src/server/problems/client-error.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/turns/text-stream.ts',
        function: 'start',
        before: 'response.socket?.pause()',
        after: 'response.socket?.ref()',
      },
    ],
  },
  {
    name: 'untaken-answers-keep-their-place',
    edits: [
      {
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/connections/connections.ts',
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
        file: 'runtime/src/server/server.ts',
        function: 'createApp',
        before: "server.on('checkExpectation', begin)",
        after: '',
      },
    ],
  },
]
