import Testing

@Suite struct LoadingModuleTests {}
