/**
 * A message as Slack, and what speaks like it, takes one: `text` for those that show nothing else, and blocks. Markup
 * stands nowhere but in `text`, where identifiers are code: nobody is mentioned by a name, and nothing becomes a link.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { MessageLine, MessageWords } from './message-words.ts'

/** More than a block takes is refused by Slack, with all of the message. */
const HEADER_LENGTH = 150
const SECTION_LENGTH = 2_900

export function buildSlackBody({ title, lines, more }: MessageWords): JsonObject {
  const texts = lines.map(formatLine)
  const rest = more === null ? [] : [more]
  return {
    text: [escapeMarkup(title), ...lines.map(formatMarkedLine), ...rest].join('\n'),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: toPlainText(title, HEADER_LENGTH) },
      ...[...texts, ...rest].map((text) => ({
        type: 'section',
        text: toPlainText(text, SECTION_LENGTH),
      })),
    ],
  }
}

function toPlainText(text: string, most: number): JsonObject {
  return { type: 'plain_text', text: text.slice(0, most), emoji: false }
}

export function formatLine({ words, facts, link }: MessageLine): string {
  const said = facts.map(([name, value]) => `${name} ${value}`).join(' · ')
  return [words, said, ...(link === null ? [] : [link])].join('\n')
}

function formatMarkedLine({ words, facts, link }: MessageLine): string {
  const said = facts.map(([name, value]) => `${name} \`${escapeMarkup(value)}\``).join(' · ')
  const at = link === null ? '' : ` ${escapeMarkup(link)}`
  return `${escapeMarkup(words)}: ${said}${at}`
}

/** As Slack asks for it. A backtick would end the code that a value stands in. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', 'ʼ')
}
