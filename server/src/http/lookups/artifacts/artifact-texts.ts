/**
 * What artifacts consist of, by the hashes that the ledger names, and what a desk says of it.
 *
 * T1 only what a fact of World at the moment that was asked for names by its hash is read: nobody asks for a blob.
 * T2 bytes that are not there, or are others than their hash says, are refused by name; nothing is shown in their place.
 */
import type {
  CompareRequest,
  Desk,
  DeskAnswerTo,
  DeskText,
  SliceRequest,
  SymbolsRequest,
} from 'rubicon-artifacts/desk'
import { type BlobStore, isContentHash } from 'rubicon-artifacts/store'
import { err, isObject, type JsonObject, type JsonValue, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_ANSWER, type ArtifactFact } from '../../schemas/artifact.ts'
import type { Reply } from '../../schemas/route.ts'
import {
  NOT_CONFIGURED,
  refuseBlob,
  refuseByDesk,
  refuseLargeText,
  refuseUnreadable,
} from './artifact-refusals.ts'
import { KeptAnswers } from './kept-answers.ts'

/** Where they lie, and who reads them. */
export type ArtifactSource = {
  readonly blobs: Pick<BlobStore, 'get'>
  readonly desk: Pick<Desk, 'ask'>
}

export type ReadRequest = SymbolsRequest | SliceRequest | CompareRequest

/** Characters of texts whose answers are kept; an answer about a text is of its order. */
const KEPT_LENGTH = 16_777_216
const LEAST_WEIGHT = 1_024

export class ArtifactTexts {
  readonly #source: ArtifactSource | undefined
  readonly #answers = new KeptAnswers<object>(KEPT_LENGTH)

  constructor(source: ArtifactSource | undefined) {
    this.#source = source
  }

  get isConfigured(): boolean {
    return this.#source !== undefined
  }

  async readText(name: string, fact: ArtifactFact): Promise<Result<DeskText, Reply>> {
    const { content_hash, bytes, media } = fact
    if (bytes > ARTIFACT_ANSWER.textBytes) return err(refuseLargeText(name, bytes))
    const read = await this.#readBlob(content_hash)
    if (!read.ok) return read
    const text = decodeText(read.value)
    return text === null
      ? err(refuseUnreadable(name, 'it is no text in UTF-8'))
      : ok({ artifact: name, media, text })
  }

  /** Null: there is none, or it cannot be read. */
  async readRecord(hash: string | null): Promise<JsonObject | null> {
    if (hash === null || this.#source === undefined) return null
    const read = await this.#readBlob(hash)
    if (!read.ok) return null
    return parseRecord(read.value)
  }

  /** `named`: what is asked, with the hashes of the texts in place of these. */
  async ask<R extends ReadRequest>(
    named: JsonObject,
    request: R,
  ): Promise<Result<DeskAnswerTo<R>, Reply>> {
    if (this.#source === undefined) return err(NOT_CONFIGURED)
    const question = JSON.stringify(named)
    const known = this.#answers.get(question)
    if (known !== undefined) return ok(known as DeskAnswerTo<R>)
    const answer = await this.#source.desk.ask(request)
    if (!answer.ok) return err(refuseByDesk(answer.error))
    this.#answers.keep(question, answer.value, LEAST_WEIGHT + weighRequest(request))
    return answer
  }

  async #readBlob(hash: string): Promise<Result<Uint8Array, Reply>> {
    if (this.#source === undefined) return err(NOT_CONFIGURED)
    if (!isContentHash(hash)) return err(refuseBlob('BLOB_MISSING', hash))
    const read = await this.#source.blobs.get(hash)
    return read.ok ? read : err(refuseBlob(read.error.code, hash))
  }
}

function weighRequest(request: ReadRequest): number {
  if (request.ask !== 'compare') return request.text.text.length
  return (request.before?.text.length ?? 0) + (request.after?.text.length ?? 0)
}

/** Null: it is none. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    // What stands at its beginning is part of an artifact, and counts where lines and symbols are counted.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Bytes of our own, hashed when they were written and when they were read. */
function parseRecord(bytes: Uint8Array): JsonObject | null {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonValue
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
