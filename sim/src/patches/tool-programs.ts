/** Mistakes of what carries out tools that are data: what they start, and where secrets come from. */
import type { Patch } from './patch.ts'

const COMMAND = 'runtime/src/tools/command'
const PROCESS = 'runtime/src/adapters/process/run-process.ts'
const START = 'runtime/src/adapters/process/start-process.ts'
const FILE_SECRET = 'runtime/src/adapters/secrets/file-secret.ts'

export const TOOL_PROGRAMS_PATCHES: readonly Patch[] = [
  {
    name: 'secret-error-tells-what-was-thrown',
    test: {
      file: 'runtime/src/tools/http/secrets.test.ts',
      title: 'a secret that cannot be read, or not be a header, is not sent and not told',
    },
    edits: [
      {
        file: 'runtime/src/tools/secret-grants.ts',
        function: 'readGranted',
        before: "error instanceof SecretUnavailable ? error.message : 'it could not be read'",
        after: 'error instanceof Error ? error.message : String(error)',
      },
    ],
  },
  {
    name: 'secret-file-of-any-mode',
    test: {
      file: 'runtime/src/adapters/secrets/secrets.test.ts',
      title: 'a file that others can read, or that is none, is refused',
    },
    edits: [
      {
        file: FILE_SECRET,
        function: 'checkOwner',
        before: 'found.mode & 0o7777',
        after: 'found.mode & 0o600',
      },
    ],
  },
  {
    name: 'secret-file-behind-a-link',
    test: {
      file: 'runtime/src/adapters/secrets/secrets.test.ts',
      title: 'a file that others can read, or that is none, is refused',
    },
    edits: [
      {
        file: FILE_SECRET,
        function: 'openPrivately',
        before: '| constants.O_NOFOLLOW ',
        after: '',
      },
    ],
  },
  {
    name: 'secret-too-short-to-remove',
    test: {
      file: 'runtime/src/adapters/secrets/secrets.test.ts',
      title: 'what is in a file is text of a length that can be removed again',
    },
    edits: [
      {
        file: 'runtime/src/adapters/secrets/secret-value.ts',
        function: 'checkSecret',
        before: 'value.length < LIMITS.secretShortest',
        after: 'value.length < 1',
      },
    ],
  },
  {
    name: 'command-started-by-a-shell',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'no shell reads an argument',
    },
    edits: [
      { file: START, function: 'startProcess', before: 'shell: false', after: 'shell: true' },
    ],
  },
  {
    name: 'command-kills-its-child-alone',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'with the deadline all of its group ends, also what does not want to',
    },
    edits: [
      {
        file: START,
        function: 'sendToGroup',
        before: 'process.kill(-group, signal)',
        after: 'process.kill(group, signal)',
      },
    ],
  },
  {
    name: 'command-leaves-what-it-started',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'what it left behind ends with it',
    },
    edits: [
      {
        file: PROCESS,
        function: '#watch',
        before: "this.#sendSignal('SIGKILL')",
        after: '',
      },
    ],
  },
  {
    name: 'command-inherits-descriptors',
    test: {
      file: 'runtime/src/adapters/process/run-process.test.ts',
      title: 'a descriptor that this process was given does not go on to a program',
    },
    edits: [
      {
        file: START,
        function: 'startProcess',
        before: ', ...coverInherited(nothing)',
        after: '',
      },
    ],
  },
  {
    name: 'command-inherits-variables',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'it has the variables that are named, and an empty folder',
    },
    edits: [
      {
        file: START,
        function: 'startProcess',
        before: 'env: { ...env }',
        after: 'env: { ...process.env, ...env }',
      },
    ],
  },
  {
    name: 'command-output-without-a-bound',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'a flood ends it',
    },
    edits: [
      {
        file: PROCESS,
        function: '#collect',
        before: 'if (length > most)',
        after: 'if (length > most * 1e9)',
      },
    ],
  },
  {
    name: 'command-not-listed',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'only a listed file is started, and only as it was when it was listed',
    },
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findExecutableProblem',
        before: "if (entry === undefined) return 'is not allowed'",
        after: 'if (entry === undefined) return null',
      },
    ],
  },
  {
    name: 'command-pin-not-looked-at',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'only a listed file is started, and only as it was when it was listed',
    },
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findPinProblem',
        before: "hash.digest('hex') === sha256",
        after: "hash.digest('hex') !== ''",
      },
    ],
  },
  {
    name: 'command-behind-a-link',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'only a listed file is started, and only as it was when it was listed',
    },
    edits: [
      {
        file: `${COMMAND}/executable.ts`,
        function: 'findExecutableProblem',
        before: '(await findFileProblem(path)) ??',
        after: '',
      },
    ],
  },
  {
    name: 'command-parameter-as-an-option',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'a parameter is no option, unless `--` stands before it',
    },
    edits: [
      {
        file: `${COMMAND}/build-arguments.ts`,
        function: 'buildArguments',
        before: "text.startsWith('-')",
        after: "text.startsWith('---')",
      },
    ],
  },
  {
    name: 'command-output-with-its-secret',
    test: {
      file: 'runtime/src/tools/command/command.test.ts',
      title: 'a secret goes into its variable, and what is printed loses it',
    },
    edits: [
      {
        file: `${COMMAND}/command-hands.ts`,
        function: 'readEnd',
        before: 'redaction.redactJson(readOutput(ended.output))',
        after: 'readOutput(ended.output)',
      },
    ],
  },
]
