/**
 * Whoever can hold a model to a schema while it writes.
 *
 * Every provider of models is a decoder by its own means: it hands the schema to whoever serves the model. Where the
 * tokens are chosen on this side, an engine of masks says which may come next. Neither is believed: whoever asked for the
 * document checks it.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { ModelIo, ModelPrice, ModelReply, ModelRequest } from './model.ts'

/** A request whose answer is one document of a schema. */
export type DecodeRequest = ModelRequest & Required<Pick<ModelRequest, 'output'>>

/** Writes one JSON document of a schema; whatever is none is a `ModelFailure`. Each `ModelProvider` is one. */
export interface Decoder {
  /** Under which it stands in the record. */
  readonly name: string
  /** Asks for the document. */
  generate(request: DecodeRequest, io: ModelIo): Promise<ModelReply>
}

/** The tokens that a model writes with. */
export type Vocabulary = {
  /** By their ids. */
  readonly tokens: readonly string[]
  /** How bytes that are no text stand in them: not at all, as GPT-2 writes them, or as `<0x0A>`. */
  readonly encoding: 'raw' | 'byte_level' | 'byte_fallback'
  /** Tokens that end what is written. */
  readonly stop: readonly number[]
}

/** Which tokens may come next, of one document that is being written. */
export interface TokenMask {
  /** A bit for each token, the first in the lowest bit of the first number; 1: it may come. */
  computeNext(): Promise<Int32Array>
  /** False: it may not come here. */
  accept(token: number): boolean
  /** The document is whole, and its end was accepted. */
  isEnded(): boolean
  /** Gives back what it took; it is used no more. */
  close(): void
}

/** Makes masks for one vocabulary. */
export interface MaskEngine {
  /** By which failures name it. */
  readonly name: string
  /** Rejects a schema that it cannot hold a model to. */
  createMask(schema: JsonObject): Promise<TokenMask>
  /** Gives back what it took; it is used no more. */
  close(): void
}

/** A model whose tokens are chosen on this side. */
export interface TokenModel {
  /** As requests name it. */
  readonly name: string
  /** What it writes with. */
  readonly vocabulary: Vocabulary
  /** How many tokens it is given by a request. */
  countInput(request: ModelRequest): number
  /** The next token, after those that were written, of those whose bit is set. */
  chooseNext(
    request: ModelRequest,
    written: readonly number[],
    mask: Int32Array,
  ): number | Promise<number>
  /** The text of tokens, as UTF-8. */
  decodeTokens(tokens: readonly number[]): string
}

/** A model, and what holds it to schemas. */
export type MaskedProviderOptions = {
  /** Under which it stands in the record; as the model when nobody says. */
  readonly name?: string
  /** What chooses tokens. */
  readonly model: TokenModel
  /** For the vocabulary of the model. */
  readonly engine: MaskEngine
  /** Left out: it has none. */
  readonly price?: ModelPrice
}
