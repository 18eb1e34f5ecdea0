/** A reply in the form of Google's generateContent. A chunk of a stream has the same form as a whole. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import type { ModelReply, ModelUsage } from '../../../ports/model.ts'
import {
  addCall,
  addCounts,
  buildInvalidReply,
  createDraft,
  type ReplyDraft,
  readField,
  readList,
  readText,
  readUsage,
  toArguments,
} from '../reply-draft.ts'

export function readGoogleReply(body: JsonValue): ReplyDraft {
  const draft = createDraft()
  const { isComplete } = addGoogleChunk(draft, body)
  if (!isComplete) throw buildInvalidReply('it does not say why it ended')
  return draft
}

export type AddedChunk = { readonly text: string; readonly isComplete: boolean }

export function addGoogleChunk(draft: ReplyDraft, body: JsonValue): AddedChunk {
  if (!isObject(body)) throw buildInvalidReply('it is no object')
  draft.model ||= readText(body, 'modelVersion')
  // Each chunk counts all that was generated so far.
  if (isObject(body.usageMetadata)) draft.usage = readGoogleUsage(body.usageMetadata)
  const candidates = readList(body, 'candidates')
  if (candidates.length > 1) throw buildInvalidReply('it has not one candidate')
  const [candidate] = candidates
  let text = ''
  for (const part of readList(readField(candidate, 'content'), 'parts'))
    text += addPart(draft, part)
  const reason = readText(candidate, 'finishReason')
  const blocked = readText(body.promptFeedback, 'blockReason')
  if (reason !== '') draft.stop = toGoogleStop(reason)
  if (blocked !== '') draft.stop = 'filtered'
  return { text, isComplete: reason !== '' || blocked !== '' }
}

function addPart(draft: ReplyDraft, part: JsonValue): string {
  const called = readField(part, 'functionCall')
  if (called !== undefined) {
    const signature = readText(part, 'thoughtSignature')
    addCall(draft, {
      id: readText(called, 'id'),
      name: readText(called, 'name'),
      arguments: toArguments(readField(called, 'args')),
      ...(signature === '' ? {} : { signature }),
    })
    return ''
  }
  // What it thought is left in the record.
  if (readField(part, 'thought') === true) return ''
  const text = readText(part, 'text')
  draft.text += text
  return text
}

const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
])

function toGoogleStop(reason: string): ModelReply['stop'] {
  if (reason === 'STOP') return 'end'
  if (reason === 'MAX_TOKENS') return 'length'
  return FILTERED.has(reason) ? 'filtered' : 'other'
}

/** Thinking is paid for as what is generated is. Where nothing was generated, the count is left out. */
function readGoogleUsage(usage: JsonValue): ModelUsage | null {
  const prompt = readField(usage, 'promptTokenCount')
  const input = addCounts(prompt, readField(usage, 'toolUsePromptTokenCount'))
  const generated = readField(usage, 'candidatesTokenCount') ?? 0
  const output = addCounts(generated, readField(usage, 'thoughtsTokenCount'))
  return readUsage(input, output, readField(usage, 'cachedContentTokenCount'))
}
