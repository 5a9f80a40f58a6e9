import Testing

@Suite struct HTTPModuleTests {}
