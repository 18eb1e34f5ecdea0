/**
 * I28, of files: what lies on the disk is what the ledger says of `main`, byte for byte; what somebody saved by hand is left as it is
 * until it is adopted; no file is ever half written; and nothing is left beside the files when all is over.
 *
 * The disk is read here as anybody would read it, and hashed here.
 */
import { computeSha256 } from './bytes.ts'
import type { Report } from './report.ts'
import { listDifferent } from './symbols.ts'

export type ArtifactsView = {
  /** By name: all that lies below the folder. */
  readonly readAll: () => ReadonlyMap<string, Uint8Array>
  /** What the runtime keeps, by what it says are hashes. */
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/** A write whose end was told by a person, or by nobody: its files are all written, or none is. */
export type DoubtfulWrite = {
  readonly names: readonly string[]
  readonly symbols: readonly string[]
}

type KnownFiles = ReadonlyMap<string, { readonly content_hash: string }>

/** What a writer needs beside the files, until it is done. */
const BESIDE = /(^|\/)\.rubicon(-|\/)/

export class AuditedFiles {
  readonly #report: Report
  readonly #view: ArtifactsView
  /** By name: the hash of what somebody saved, until it is adopted. */
  readonly #edited = new Map<string, string>()
  /** By name: until it is adopted, or saved by somebody. */
  readonly #doubtful = new Map<string, DoubtfulWrite>()
  /** Of everything that anybody has ever saved. */
  readonly #saved = new Set<string>()

  constructor(report: Report, view: ArtifactsView) {
    this.#report = report
    this.#view = view
  }

  recordEdit(name: string, bytes: Uint8Array): void {
    const hash = hashBytes(bytes)
    this.#edited.set(name, hash)
    this.#doubtful.delete(name)
    this.#saved.add(hash)
  }

  recordAdopted(name: string, hash: string | null): void {
    if (this.#edited.get(name) === hash || hash === null) this.#edited.delete(name)
    this.#doubtful.delete(name)
  }

  /** A person has said what became of a write, or that nobody will. */
  recordDoubtful(write: DoubtfulWrite): void {
    for (const name of write.names) if (!this.#edited.has(name)) this.#doubtful.set(name, write)
  }

  /** Null: the runtime keeps nothing under that hash, or something else. */
  findText(hash: string): string | null {
    const bytes = this.#view.blobs.get(hash)
    if (bytes === undefined || hashBytes(bytes) !== hash) return null
    return new TextDecoder().decode(bytes)
  }

  /** A reader may come at any moment, also when a process has just ended in the middle of a write. */
  auditWhole(known: ReadonlyMap<string, unknown>): void {
    const files = this.#view.readAll()
    // Nobody in the storm takes a file away.
    for (const name of known.keys())
      if (!files.has(name)) this.#report('I28', `${name} is not there while it is written`)
    for (const [name, bytes] of files) {
      const hash = hashBytes(bytes)
      if (BESIDE.test(name) || this.#view.blobs.has(hash) || this.#saved.has(hash)) continue
      this.#report('I28', `${name} is half written`)
    }
  }

  /** `known`: what World has of `main`. Called while nobody is writing. */
  auditDisk(known: KnownFiles, when: string): void {
    const files = this.#view.readAll()
    const different = new Map<DoubtfulWrite, boolean>()
    for (const [name, { content_hash }] of known) {
      const bytes = files.get(name)
      const hash = bytes === undefined ? 'nothing' : hashBytes(bytes)
      const write = this.#doubtful.get(name)
      if (write === undefined) {
        const meant = this.#edited.get(name) ?? content_hash
        if (hash !== meant) this.#report('I28', `${when}: ${name} is ${hash}, not ${meant}`)
        continue
      }
      const isDifferent = hash !== content_hash
      if (isDifferent) this.#auditDoubtful(write, name, [content_hash, hash], when)
      if ((different.get(write) ?? isDifferent) !== isDifferent)
        this.#report('I28', `${when}: ${write.names.join(', ')} are written in part`)
      different.set(write, isDifferent)
    }
  }

  /** The text of the one side of that write where World has the other: they differ in what was planned alone. */
  #auditDoubtful(
    { symbols }: DoubtfulWrite,
    name: string,
    [known, found]: readonly [string, string],
    when: string,
  ): void {
    const [one, other] = [this.findText(known), this.findText(found)]
    if (one === null || other === null) {
      this.#report('I28', `${when}: ${name} is ${found}, which nobody keeps`)
      return
    }
    for (const path of listDifferent(one, other))
      if (!symbols.includes(`${name} ${path}`.trim()))
        this.#report('I28', `${when}: ${name} has another ${path}, which was not planned`)
  }

  /** Behind the last recovery. */
  finish(known: KnownFiles): void {
    this.auditWhole(known)
    this.auditDisk(known, 'in the end')
    for (const name of this.#view.readAll().keys())
      if (!known.has(name) && !this.#edited.has(name))
        this.#report('I28', `${name} was left behind`)
  }
}

function hashBytes(bytes: Uint8Array): string {
  return `sha256:${computeSha256(bytes).toString('hex')}`
}
