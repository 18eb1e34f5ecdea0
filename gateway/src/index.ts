/** The gateway: MCP clients in front, MCP servers behind, the kernel between. */
export { computePin, parseDefinition, type ToolDefinition } from './definition/tool-definition.ts'
export { createFront, type FrontOptions } from './front/create-front.ts'
export { buildToolManifest } from './lock/build-manifest.ts'
export { type ToolClass, UNREVIEWED } from './lock/tool-class.ts'
export { createMcpHands } from './upstream/mcp-hands.ts'
export type { ServerConfig } from './upstream/server-config.ts'
export { Upstream } from './upstream/upstream.ts'
