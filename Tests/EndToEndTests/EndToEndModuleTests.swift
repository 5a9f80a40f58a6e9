import Testing

@Suite struct EndToEndModuleTests {}
