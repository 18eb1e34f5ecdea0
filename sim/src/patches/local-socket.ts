/** Mistakes about the Unix socket of a server, and whoever asks over it. */
import type { Patch } from './patch.ts'

export const LOCAL_SOCKET_PATCHES: readonly Patch[] = [
  {
    name: 'replies-over-the-socket-not-kept',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a request that is sent again over the socket is answered as before',
    },
    edits: [
      {
        file: 'server/src/http/gate/read-request.ts',
        function: 'readRequest',
        before: "parts.local === 'process'",
        after: 'parts.local !== undefined',
      },
    ],
  },
  {
    name: 'socket-needs-no-header',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title:
        'on the socket a token that is nobody is refused, and whoever says nothing is a stranger',
    },
    edits: [
      {
        file: 'server/src/people/local-operator.ts',
        function: 'parseOperatorHeader',
        before: 'if (said === UNNAMED)',
        after: 'if (said === UNNAMED || said === undefined)',
      },
    ],
  },
  {
    name: 'socket-open-to-others',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'nobody but the owner can reach the socket',
    },
    edits: [
      {
        file: 'server/src/local-socket/open-socket.ts',
        function: 'openPrivately',
        before: 'chmodSync(path, OWNER_ONLY)',
        after: 'chmodSync(path, 0o666)',
      },
    ],
  },
  {
    name: 'socket-in-a-folder-that-others-enter',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a folder that others can enter holds no socket, and none in it is asked',
    },
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'isPrivateFolder',
        before: '(found.mode & OTHERS) === 0 &&',
        after: '',
      },
    ],
  },
  {
    name: 'socket-in-a-folder-of-another-user',
    test: {
      file: 'server/src/local-socket/private-folder.test.ts',
      title:
        'a folder of another user, one that others can enter, and what is no folder are not private',
    },
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'isPrivateFolder',
        before: '=== 0 && owners.includes(found.uid)',
        after: '=== 0',
      },
    ],
  },
  {
    name: 'socket-folder-through-a-link',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a folder is not looked at through a link',
    },
    edits: [
      {
        file: 'server/src/local-socket/private-folder.ts',
        function: 'readStats',
        before: 'return lstatSync(path)',
        after: "return process.getBuiltinModule('node:fs').statSync(path)",
      },
    ],
  },
  {
    name: 'announced-socket-believed-wherever-it-is',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a socket outside of a private folder is not asked',
    },
    edits: [
      {
        file: 'server/src/local-socket/announcement.ts',
        function: 'listAnnouncements',
        before: '.filter(({ socket }) => isPrivateFolder(dirname(socket), owners))',
        after: '',
      },
    ],
  },
  {
    name: 'socket-beside-sealed-keys',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'where a passphrase seals the keys there is no socket',
    },
    edits: [
      {
        file: 'server/src/local-socket/open-socket.ts',
        function: 'openSocket',
        before: ' || !place.hasPlainKeys',
        after: '',
      },
    ],
  },
  {
    name: 'announcement-outlives-its-server',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'a server that stops takes its socket and its announcement with it',
    },
    edits: [
      {
        file: 'server/src/local-socket/open-socket.ts',
        function: 'openPrivately',
        before: `rmSync(file, { force: true })
        await`,
        after: 'await',
      },
    ],
  },
  {
    name: 'announcement-of-another-machine-removed',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'what a crash left behind is passed over, and removed by the next server',
    },
    edits: [
      {
        file: 'server/src/local-socket/announcement.ts',
        function: 'listStale',
        before: 'host !== hostname() ||',
        after: '',
      },
    ],
  },
]
