/** The gateway: MCP clients in front, MCP servers behind, the kernel between. */
export { loadMcpFile, type McpConfig, parseMcpConfig } from './config/mcp-file.ts'
export { computePin, parseDefinition, type ToolDefinition } from './definition/tool-definition.ts'
export { createFront, type FrontOptions } from './front/create-front.ts'
export { type ComparedTool, compareTools, type ToolState } from './lock/compare-tools.ts'
export {
  formatLock,
  type LockedTool,
  loadLock,
  parseLock,
  type ToolLock,
} from './lock/lock-file.ts'
export { type ToolClass, UNREVIEWED } from './lock/tool-class.ts'
export { type Gateway, openGateway } from './open-gateway.ts'
