#!/usr/bin/env node
/**
 * Starts the command on a Node that can run it. Plain JavaScript that an old Node reads too: it
 * looks for the Node that npm installed beside the package and hands everything over to it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { createRequire } from 'node:module'
import { availableParallelism, constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const WANTED = 24
const QUIET = '--disable-warning=ExperimentalWarning'

/**
 * Signatures are made in libuv's threads. As many of them as cores would take turns with the thread
 * that decides, and decisions come first: on two cores one of them is worth a quarter more decisions.
 */
const SIGNING_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** V8 marks what is garbage in seven threads beside ours; on few cores all of them would be its own. */
const MARKING_THREADS = Math.min(7, Math.max(1, availableParallelism() - 1))

if (Number.parseInt(process.versions.node, 10) >= WANTED) await runHere()
else runElsewhere()

async function runHere() {
  // Read when the first of those threads is needed, which is after this line.
  process.env.UV_THREADPOOL_SIZE ??= String(SIGNING_THREADS)
  setFlagsFromString(`--concurrent-marking-max-worker-num=${MARKING_THREADS}`)
  // node:sqlite is stable enough for us; the warning would stand in everyone's output.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'object' ? rest[0]?.type : rest[0]
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
  // `rubicon … | head` ends when head does, without a word.
  process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  nodeModule.enableCompileCache?.()
  const source = new URL('../../server/src/cli/main.ts', import.meta.url)
  const packed = new URL('../dist/cli/main.js', import.meta.url)
  const { main } = await import((existsSync(source) ? source : packed).href)
  const exit = await main(process.argv.slice(2))
  // Verbs of the repository say themselves how they ended.
  if (exit !== 0 || process.exitCode === undefined) process.exitCode = exit
}

function runElsewhere() {
  const node = findNode()
  if (node === undefined) {
    const { version, platform, arch } = process
    process.stderr.write(
      `✖ rubicon needs Node ${WANTED} or newer; this is ${version} on ${platform} ${arch}\n` +
        '  why  the store is the SQLite that Node brings, and the sources run without a build\n' +
        `  fix  install Node ${WANTED}; in a clone of the repository run \`npm ci\` without --omit=optional\n`,
    )
    process.exitCode = 2
    return
  }
  const self = fileURLToPath(import.meta.url)
  const child = spawn(node, [QUIET, self, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // At a terminal Ctrl-C reaches the child by itself; twice would mean "now".
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', ({ message }) => {
    process.stderr.write(`✖ \`${node}\` cannot be started\n  why  ${message}\n  fix  run npm ci\n`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/** The Node of the optional platform package, from the nearest node_modules. */
function findNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const { resolve } = createRequire(import.meta.url)
  // Apple's arm64 is published under the longer name.
  for (const family of ['node', 'node-bin']) {
    try {
      const manifest = resolve(`${family}-${platform}-${process.arch}/package.json`)
      const node = join(dirname(manifest), file)
      if (existsSync(node)) return node
    } catch {
      // Not installed; the next name may be.
    }
  }
  return undefined
}
