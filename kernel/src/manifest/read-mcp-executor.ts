import { isAddress } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { createChoiceReader } from '../contract/read-scalar.ts'
import { Fields, type Place, type Read } from '../contract/reader.ts'
import { isMcpServerName, isMcpToolName } from './mcp-name.ts'
import { checkBounds } from './read-bounds.ts'

export function checkMcp(value: JsonValue | undefined, place: Place): void {
  const fields = new Fields(value, place)
  fields.readRequired('server', createTextReader(isMcpServerName, 'the name of an MCP server'))
  fields.readRequired('tool', createTextReader(isMcpToolName, 'the name of a tool'))
  fields.readRequired('pin', createTextReader(isAddress, 'the address of a definition'))
  checkBounds(fields)
  fields.end()
}

const method = createChoiceReader('resources/read', 'prompts/get')

export function checkMcpRead(value: JsonValue | undefined, place: Place): void {
  const fields = new Fields(value, place)
  fields.readRequired('server', createTextReader(isMcpServerName, 'the name of an MCP server'))
  fields.readRequired('method', method)
  checkBounds(fields)
  fields.end()
}

function createTextReader(isFit: (text: string) => boolean, what: string): Read<void> {
  return (value, place) => {
    if (typeof value !== 'string' || !isFit(value)) place.refuseValue(value, what)
  }
}
