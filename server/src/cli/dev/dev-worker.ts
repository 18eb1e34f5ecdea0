/**
 * The process that serves a project for `rubicon dev`: it loads the rules once, and serves them until it is told to let go.
 *
 * V1 nothing is opened before the command says so: whatever is wrong with the rules is known while another still serves.
 * V2 one that has let go keeps what it has loaded, and can be told to serve again.
 * V3 it ends with the command, however that ends: the channel to it is gone then.
 */
import { assert } from 'rubicon-kernel'
import {
  createObservability,
  createRuntime,
  type Runtime,
  systemClock,
} from 'rubicon-runtime/compose'
import { serve } from '../../http/serve.ts'
import { describeError } from '../failure.ts'
import { deployDocuments } from './deploy-documents.ts'
import { type LoadedProject, loadProject, recordLoadedFiles } from './load-project.ts'
import { parseReportLine } from './report-line.ts'
import type { AnswerOf, WorkerMessage, WorkerRequest, WorkerSettings } from './worker-messages.ts'

const settings = parseSettings(process.argv[2] ?? '')
const files = recordLoadedFiles(settings.folder)
let project: LoadedProject | null = null
let runtime: Runtime | null = null

// A terminal, and whoever ends a group of processes, reaches this one too; the command says when it is over.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.on('disconnect', () => void release().finally(() => process.exit(0)))
let last: Promise<void> = Promise.resolve()
process.on('message', (value: { readonly id: number; readonly request: WorkerRequest }) => {
  last = last.then(() => respond(value.id, value.request))
})

async function respond(id: number, request: WorkerRequest): Promise<void> {
  try {
    send({ kind: 'answer', id, answer: await handle(request) })
  } catch (error) {
    send({ kind: 'failure', id, failure: describeError(error).failure })
  }
}

async function handle(request: WorkerRequest): Promise<AnswerOf[WorkerRequest['kind']]> {
  switch (request.kind) {
    case 'load': {
      project = await loadProject(settings.folder, settings.rules, files)
      return { files: [...files], problems: project.problems, rules: project.summary }
    }
    case 'serve':
      return serveProject(request.port, request.token)
    case 'deploy': {
      assert(runtime !== null, 'only a worker that serves deploys')
      const { folder } = settings
      return deployDocuments(runtime, folder, request)
    }
    case 'release':
      await release()
      return {}
  }
}

async function serveProject(port: number, token: string): Promise<AnswerOf['serve']> {
  assert(project !== null && runtime === null, 'a worker serves what it has loaded, once')
  const { store, state: stateDirectory, tenant, host } = settings
  const { advisers = {}, ...law } = project.rules
  const observed = await createObservability({ clock: systemClock, log: report })
  const opened = await createRuntime({
    ...{ store, stateDirectory, tenant },
    ...law,
    ...advisers,
    telemetry: observed.telemetry,
    report,
    // The store is nobody's but the author's, and the author has just written them.
    acceptRules: 'any-in-development',
  })
  opened.endWith({ close: () => observed.close() })
  runtime = opened
  try {
    const { url } = await serve(opened, { port, host, person: { name: 'developer', token } })
    return { url }
  } catch (error) {
    await release()
    throw error
  }
}

async function release(): Promise<void> {
  const open = runtime
  runtime = null
  await open?.close()
}

function report(line: string): void {
  const notice = parseReportLine(line)
  if (notice !== null) send({ kind: 'notice', notice })
}

function send(message: WorkerMessage): void {
  if (process.connected) process.send?.(message)
}

function parseSettings(text: string): WorkerSettings {
  return JSON.parse(text) as WorkerSettings
}
