/**
 * Where the artifacts of a seed lie: a folder on the disk of this machine, and blobs in memory. Both survive every crash; whoever works
 * on them does so in a process that may die.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createDirectDesk, type Desk } from 'rubicon-artifacts/desk'
import { FilesSession, openFilesRoot } from 'rubicon-artifacts/files'
import { type BlobStore, createMemoryBlobs } from 'rubicon-artifacts/store'
import { err } from 'rubicon-kernel'
import { openArtifacts } from '../../../runtime/src/artifacts/open-workshop.ts'
import type { Workshop } from '../../../runtime/src/artifacts/workshop.ts'
import type { Capability } from '../../../runtime/src/ports/capability.ts'
import type { Store } from '../../../runtime/src/ports/store.ts'
import type { VirtualTime } from '../clock.ts'
import type { SimProcess } from '../process.ts'
import { Rng } from '../rng.ts'
import type { Faults } from '../swarm.ts'
import { createStormDisk } from './craft-disk.ts'
import { PLAN_MS, PROJECT } from './craft-project.ts'

export type CraftHands = {
  readonly process: SimProcess
  readonly time: VirtualTime
  readonly faults: Faults
  readonly store: Store
  readonly loadScope: Workshop['loadScope']
}

export type CraftTold = {
  readonly saved: (name: string, bytes: Uint8Array) => void
  readonly looked: () => void
}

/** Far from the seeds of storms. */
const STREAM = 0x2000_0000

const DESK = createDirectDesk()

export class CraftPlace {
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'rubicon-storm-'))
  readonly #kept: BlobStore = createMemoryBlobs()
  /** Of those who work here: what they draw leaves everybody else's chances as they are. */
  readonly rng: Rng
  readonly #saved: (name: string, bytes: Uint8Array) => void
  readonly #looked: () => void
  /** By hash; an auditor looks at them without asking the store. */
  readonly blobs: Map<string, Uint8Array> = new Map()

  /** Told of every file that is saved by hand, and whenever somebody looks in the middle of a write. */
  constructor(seed: number, told: CraftTold) {
    this.rng = new Rng(seed + STREAM)
    this.#saved = told.saved
    this.#looked = told.looked
  }

  /** The files as they are at first. */
  layFiles(): void {
    for (const [name, text] of Object.entries(PROJECT)) this.edit(name, text)
  }

  get #files(): string {
    return join(this.#folder, 'project')
  }

  /** Somebody saves a file. */
  edit(name: string, text: string): void {
    this.#saved(name, Buffer.from(text))
    const path = join(this.#files, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** Everything that lies there, but for what a writer leaves behind to say that it is one. */
  readAll(): ReadonlyMap<string, Uint8Array> {
    const found = new Map<string, Uint8Array>()
    for (const entry of readdirSync(this.#files, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(this.#files.length + 1)
      if (entry.isFile() && !name.includes('/writers/')) found.set(name, readFileSync(path))
    }
    return found
  }

  /** The kinds of artifacts, by hands of this process. */
  listCapabilities({ process, time, faults, store, loadScope }: CraftHands): readonly Capability[] {
    const wait = async (): Promise<void> => {
      if (!process.runs) await process.turn()
    }
    const desk: Desk = {
      ask: async (request) => {
        await process.wait(time.sleep(faults.drawBetween(1, 20)))
        if (faults.drawFault('desk_dies'))
          return err({ code: 'DESK_TIMEOUT', detail: 'the process that reads texts was ended' })
        return DESK.ask(request)
      },
      close: async () => {},
    }
    const blobs: BlobStore = {
      put: async (bytes) => {
        await wait()
        if (faults.drawFault('blob_failed')) throw new Error('the folder of blobs does not answer')
        const hash = await this.#kept.put(bytes)
        this.blobs.set(hash, bytes)
        return hash
      },
      get: async (hash) => {
        await wait()
        return this.#kept.get(hash)
      },
      has: async (hash) => {
        await wait()
        return this.#kept.has(hash)
      },
    }
    const disk = createStormDisk(process, faults, this.#looked)
    const options = { files: this.#files, blobs, desk, disk, planMs: PLAN_MS }
    return openArtifacts(options, join(this.#folder, 'state'), {
      readWorld: (trajectory, refs) => store.readResources(trajectory, refs),
      loadScope,
    }).capabilities
  }

  /** The next tool that opens the folder: what was left half done is finished or undone. False: it cannot. */
  recover(): boolean {
    const root = openFilesRoot(this.#files)
    if (!root.ok) return false
    const opened = FilesSession.open(root.value, { has: () => false, add: () => {} })
    if (opened.ok) opened.value.close()
    return opened.ok
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The law's side, the same for every seed: these hands are never used. */
export function listArtifactKinds(): readonly Capability[] {
  const options = { blobs: createMemoryBlobs(), desk: DESK, planMs: PLAN_MS }
  return openArtifacts(options, '/nowhere', {
    readWorld: async () => [],
    loadScope: async () => () => () => false,
  }).capabilities
}
