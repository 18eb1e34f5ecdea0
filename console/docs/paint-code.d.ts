export declare function paintCode(text: string, language: string): string
