/** The gateway: MCP clients in front, MCP servers behind, the kernel between. */
export { createRemoteBehind, type RemoteBehind } from './behind/create-remote-behind.ts'
export {
  findSoleResourceServer,
  MCP_LISTS,
  type McpList,
  type ServersBehind,
} from './behind/servers-behind.ts'
export { loadMcpFile, type McpConfig, parseMcpConfig } from './config/mcp-file.ts'
export { findHiddenCharacters, showHiddenCharacters } from './definition/hidden-characters.ts'
export { computePin, parseDefinition, type ToolDefinition } from './definition/tool-definition.ts'
export { createFront } from './front/create-front.ts'
export type { FrontOptions } from './front/front-options.ts'
export { serveFront } from './front/serve-front.ts'
export { approveTools, type ToolApproval } from './lock/approve-tools.ts'
export { type ComparedTool, compareTools, type ToolState } from './lock/compare-tools.ts'
export {
  formatLock,
  type LockedTool,
  loadLock,
  parseLock,
  type ToolLock,
} from './lock/lock-file.ts'
export { isToolClassName, TOOL_CLASSES, type ToolClass } from './lock/tool-class.ts'
export { type Gateway, openGateway } from './open-gateway.ts'
