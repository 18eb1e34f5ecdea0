/**
 * I28, of files: what lies on the disk is what the ledger says of `main`, byte for byte; what somebody saved by hand is left as it is
 * until it is adopted; no file is ever half written; and nothing is left beside the files when all is over.
 *
 * The disk is read here as anybody would read it, and hashed here.
 */
import { computeSha256 } from './bytes.ts'
import type { Report } from './report.ts'

export type ArtifactsView = {
  /** By name: all that lies below the folder. */
  readonly readAll: () => ReadonlyMap<string, Uint8Array>
  /** What the runtime keeps, by what it says are hashes. */
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/** Nobody says what is in it. */
const UNKNOWN = 'unknown'
/** What a writer needs beside the files, until it is done. */
const BESIDE = /(^|\/)\.rubicon(-|\/)/

export class AuditedFiles {
  readonly #report: Report
  readonly #view: ArtifactsView
  /** By name: the hash of what somebody saved, until it is adopted. */
  readonly #edited = new Map<string, string>()
  /** Of everything that anybody has ever saved. */
  readonly #saved = new Set<string>()

  constructor(report: Report, view: ArtifactsView) {
    this.#report = report
    this.#view = view
  }

  recordEdit(name: string, bytes: Uint8Array): void {
    const hash = hashBytes(bytes)
    this.#edited.set(name, hash)
    this.#saved.add(hash)
  }

  recordAdopted(name: string, hash: string | null): void {
    const edited = this.#edited.get(name)
    if (edited === hash || edited === UNKNOWN || hash === null) this.#edited.delete(name)
  }

  /** A person has said what became of a write, or that nobody will. */
  recordUnknown(name: string): void {
    if (!this.#edited.has(name)) this.#edited.set(name, UNKNOWN)
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
  auditDisk(known: ReadonlyMap<string, { readonly content_hash: string }>, when: string): void {
    const files = this.#view.readAll()
    for (const [name, { content_hash }] of known) {
      const edited = this.#edited.get(name)
      if (edited === UNKNOWN) continue
      const bytes = files.get(name)
      const hash = bytes === undefined ? 'nothing' : hashBytes(bytes)
      if (hash !== (edited ?? content_hash))
        this.#report('I28', `${when}: ${name} is ${hash}, not ${edited ?? content_hash}`)
    }
  }

  /** Behind the last recovery. */
  finish(known: ReadonlyMap<string, { readonly content_hash: string }>): void {
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
