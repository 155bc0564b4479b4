// Written by tools/page.
#include "CPage.h"

#ifdef LATTICE_PAGE_SMALL
#include "../../.build/page/page.c"
#else

// A compiler that reads the files itself is a hundred times as quick as one that reads them as numbers, and it knows when one has changed.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_1[] = {
#embed "../LatticeHTTP/Page/index.html"
};
static const unsigned char file_2[] = {
#embed "../LatticeHTTP/Page/page/about.js"
};
static const unsigned char file_3[] = {
#embed "../LatticeHTTP/Page/page/acts.js"
};
static const unsigned char file_4[] = {
#embed "../LatticeHTTP/Page/page/alerts.js"
};
static const unsigned char file_5[] = {
#embed "../LatticeHTTP/Page/page/announce.js"
};
static const unsigned char file_6[] = {
#embed "../LatticeHTTP/Page/page/api.js"
};
static const unsigned char file_7[] = {
#embed "../LatticeHTTP/Page/page/app.js"
};
static const unsigned char file_8[] = {
#embed "../LatticeHTTP/Page/page/attach.js"
};
static const unsigned char file_9[] = {
#embed "../LatticeHTTP/Page/page/away.js"
};
static const unsigned char file_10[] = {
#embed "../LatticeHTTP/Page/page/base.css"
};
static const unsigned char file_11[] = {
#embed "../LatticeHTTP/Page/page/bytes.js"
};
static const unsigned char file_12[] = {
#embed "../LatticeHTTP/Page/page/changes.js"
};
static const unsigned char file_13[] = {
#embed "../LatticeHTTP/Page/page/chatlist.js"
};
static const unsigned char file_14[] = {
#embed "../LatticeHTTP/Page/page/clusters.js"
};
static const unsigned char file_15[] = {
#embed "../LatticeHTTP/Page/page/coastline.bin"
};
static const unsigned char file_16[] = {
#embed "../LatticeHTTP/Page/page/coastline.js"
};
static const unsigned char file_17[] = {
#embed "../LatticeHTTP/Page/page/compare.js"
};
static const unsigned char file_18[] = {
#embed "../LatticeHTTP/Page/page/compose.js"
};
static const unsigned char file_19[] = {
#embed "../LatticeHTTP/Page/page/conversations.js"
};
static const unsigned char file_20[] = {
#embed "../LatticeHTTP/Page/page/crossing.js"
};
static const unsigned char file_21[] = {
#embed "../LatticeHTTP/Page/page/dark.css"
};
static const unsigned char file_22[] = {
#embed "../LatticeHTTP/Page/page/dom.js"
};
static const unsigned char file_23[] = {
#embed "../LatticeHTTP/Page/page/drafts.js"
};
static const unsigned char file_24[] = {
#embed "../LatticeHTTP/Page/page/event.js"
};
static const unsigned char file_25[] = {
#embed "../LatticeHTTP/Page/page/eventparser.js"
};
static const unsigned char file_26[] = {
#embed "../LatticeHTTP/Page/page/filecard.js"
};
static const unsigned char file_27[] = {
#embed "../LatticeHTTP/Page/page/files.css"
};
static const unsigned char file_28[] = {
#embed "../LatticeHTTP/Page/page/files.js"
};
static const unsigned char file_29[] = {
#embed "../LatticeHTTP/Page/page/foundlines.js"
};
static const unsigned char file_30[] = {
#embed "../LatticeHTTP/Page/page/geo.js"
};
static const unsigned char file_31[] = {
#embed "../LatticeHTTP/Page/page/graph.js"
};
static const unsigned char file_32[] = {
#embed "../LatticeHTTP/Page/page/here.js"
};
static const unsigned char file_33[] = {
#embed "../LatticeHTTP/Page/page/history.js"
};
static const unsigned char file_34[] = {
#embed "../LatticeHTTP/Page/page/icon-192.png"
};
static const unsigned char file_35[] = {
#embed "../LatticeHTTP/Page/page/icon.svg"
};
static const unsigned char file_36[] = {
#embed "../LatticeHTTP/Page/page/icons.svg"
};
static const unsigned char file_37[] = {
#embed "../LatticeHTTP/Page/page/item.js"
};
static const unsigned char file_38[] = {
#embed "../LatticeHTTP/Page/page/kept.js"
};
static const unsigned char file_39[] = {
#embed "../LatticeHTTP/Page/page/keptposts.js"
};
static const unsigned char file_40[] = {
#embed "../LatticeHTTP/Page/page/keyboard.js"
};
static const unsigned char file_41[] = {
#embed "../LatticeHTTP/Page/page/knownchats.js"
};
static const unsigned char file_42[] = {
#embed "../LatticeHTTP/Page/page/knownplaces.js"
};
static const unsigned char file_43[] = {
#embed "../LatticeHTTP/Page/page/latest.js"
};
static const unsigned char file_44[] = {
#embed "../LatticeHTTP/Page/page/layout.css"
};
static const unsigned char file_45[] = {
#embed "../LatticeHTTP/Page/page/layout.js"
};
static const unsigned char file_46[] = {
#embed "../LatticeHTTP/Page/page/line.js"
};
static const unsigned char file_47[] = {
#embed "../LatticeHTTP/Page/page/lineacts.js"
};
static const unsigned char file_48[] = {
#embed "../LatticeHTTP/Page/page/linechanges.js"
};
static const unsigned char file_49[] = {
#embed "../LatticeHTTP/Page/page/linedrag.js"
};
static const unsigned char file_50[] = {
#embed "../LatticeHTTP/Page/page/linemenu.js"
};
static const unsigned char file_51[] = {
#embed "../LatticeHTTP/Page/page/lines.js"
};
static const unsigned char file_52[] = {
#embed "../LatticeHTTP/Page/page/linetext.js"
};
static const unsigned char file_53[] = {
#embed "../LatticeHTTP/Page/page/list.js"
};
static const unsigned char file_54[] = {
#embed "../LatticeHTTP/Page/page/listhead.js"
};
static const unsigned char file_55[] = {
#embed "../LatticeHTTP/Page/page/livestate.js"
};
static const unsigned char file_56[] = {
#embed "../LatticeHTTP/Page/page/look.js"
};
static const unsigned char file_57[] = {
#embed "../LatticeHTTP/Page/page/main.js"
};
static const unsigned char file_58[] = {
#embed "../LatticeHTTP/Page/page/manifest.webmanifest"
};
static const unsigned char file_59[] = {
#embed "../LatticeHTTP/Page/page/map.css"
};
static const unsigned char file_60[] = {
#embed "../LatticeHTTP/Page/page/map.js"
};
static const unsigned char file_61[] = {
#embed "../LatticeHTTP/Page/page/mapcard.js"
};
static const unsigned char file_62[] = {
#embed "../LatticeHTTP/Page/page/mapdraw.js"
};
static const unsigned char file_63[] = {
#embed "../LatticeHTTP/Page/page/mapoffer.js"
};
static const unsigned char file_64[] = {
#embed "../LatticeHTTP/Page/page/mapview.js"
};
static const unsigned char file_65[] = {
#embed "../LatticeHTTP/Page/page/marks.js"
};
static const unsigned char file_66[] = {
#embed "../LatticeHTTP/Page/page/mesh.css"
};
static const unsigned char file_67[] = {
#embed "../LatticeHTTP/Page/page/mesh.js"
};
static const unsigned char file_68[] = {
#embed "../LatticeHTTP/Page/page/meshcard.js"
};
static const unsigned char file_69[] = {
#embed "../LatticeHTTP/Page/page/names.js"
};
static const unsigned char file_70[] = {
#embed "../LatticeHTTP/Page/page/newplace.js"
};
static const unsigned char file_71[] = {
#embed "../LatticeHTTP/Page/page/news.js"
};
static const unsigned char file_72[] = {
#embed "../LatticeHTTP/Page/page/notifications.js"
};
static const unsigned char file_73[] = {
#embed "../LatticeHTTP/Page/page/offline.js"
};
static const unsigned char file_74[] = {
#embed "../LatticeHTTP/Page/page/originalcard.js"
};
static const unsigned char file_75[] = {
#embed "../LatticeHTTP/Page/page/outbox.js"
};
static const unsigned char file_76[] = {
#embed "../LatticeHTTP/Page/page/people.js"
};
static const unsigned char file_77[] = {
#embed "../LatticeHTTP/Page/page/personfiles.js"
};
static const unsigned char file_78[] = {
#embed "../LatticeHTTP/Page/page/personphotos.js"
};
static const unsigned char file_79[] = {
#embed "../LatticeHTTP/Page/page/photofield.js"
};
static const unsigned char file_80[] = {
#embed "../LatticeHTTP/Page/page/photos.css"
};
static const unsigned char file_81[] = {
#embed "../LatticeHTTP/Page/page/photos.js"
};
static const unsigned char file_82[] = {
#embed "../LatticeHTTP/Page/page/picture.js"
};
static const unsigned char file_83[] = {
#embed "../LatticeHTTP/Page/page/pins.js"
};
static const unsigned char file_84[] = {
#embed "../LatticeHTTP/Page/page/placefield.js"
};
static const unsigned char file_85[] = {
#embed "../LatticeHTTP/Page/page/placeform.js"
};
static const unsigned char file_86[] = {
#embed "../LatticeHTTP/Page/page/placerow.js"
};
static const unsigned char file_87[] = {
#embed "../LatticeHTTP/Page/page/places.js"
};
static const unsigned char file_88[] = {
#embed "../LatticeHTTP/Page/page/post.js"
};
static const unsigned char file_89[] = {
#embed "../LatticeHTTP/Page/page/posts.css"
};
static const unsigned char file_90[] = {
#embed "../LatticeHTTP/Page/page/posts.js"
};
static const unsigned char file_91[] = {
#embed "../LatticeHTTP/Page/page/postsat.js"
};
static const unsigned char file_92[] = {
#embed "../LatticeHTTP/Page/page/poststate.js"
};
static const unsigned char file_93[] = {
#embed "../LatticeHTTP/Page/page/profile.js"
};
static const unsigned char file_94[] = {
#embed "../LatticeHTTP/Page/page/projection.js"
};
static const unsigned char file_95[] = {
#embed "../LatticeHTTP/Page/page/redraw.js"
};
static const unsigned char file_96[] = {
#embed "../LatticeHTTP/Page/page/rings.js"
};
static const unsigned char file_97[] = {
#embed "../LatticeHTTP/Page/page/roomdialogs.js"
};
static const unsigned char file_98[] = {
#embed "../LatticeHTTP/Page/page/roompins.js"
};
static const unsigned char file_99[] = {
#embed "../LatticeHTTP/Page/page/rooms.js"
};
static const unsigned char file_100[] = {
#embed "../LatticeHTTP/Page/page/router.js"
};
static const unsigned char file_101[] = {
#embed "../LatticeHTTP/Page/page/rows.js"
};
static const unsigned char file_102[] = {
#embed "../LatticeHTTP/Page/page/save.js"
};
static const unsigned char file_103[] = {
#embed "../LatticeHTTP/Page/page/sending.js"
};
static const unsigned char file_104[] = {
#embed "../LatticeHTTP/Page/page/sheet.js"
};
static const unsigned char file_105[] = {
#embed "../LatticeHTTP/Page/page/sight.js"
};
static const unsigned char file_106[] = {
#embed "../LatticeHTTP/Page/page/sources.js"
};
static const unsigned char file_107[] = {
#embed "../LatticeHTTP/Page/page/speaker.js"
};
static const unsigned char file_108[] = {
#embed "../LatticeHTTP/Page/page/store.js"
};
static const unsigned char file_109[] = {
#embed "../LatticeHTTP/Page/page/stream.js"
};
static const unsigned char file_110[] = {
#embed "../LatticeHTTP/Page/page/talk.css"
};
static const unsigned char file_111[] = {
#embed "../LatticeHTTP/Page/page/talkhead.js"
};
static const unsigned char file_112[] = {
#embed "../LatticeHTTP/Page/page/talkstate.js"
};
static const unsigned char file_113[] = {
#embed "../LatticeHTTP/Page/page/text.js"
};
static const unsigned char file_114[] = {
#embed "../LatticeHTTP/Page/page/textfield.js"
};
static const unsigned char file_115[] = {
#embed "../LatticeHTTP/Page/page/tiles.js"
};
static const unsigned char file_116[] = {
#embed "../LatticeHTTP/Page/page/time.js"
};
static const unsigned char file_117[] = {
#embed "../LatticeHTTP/Page/page/turns.js"
};
static const unsigned char file_118[] = {
#embed "../LatticeHTTP/Page/page/typed.js"
};
static const unsigned char file_119[] = {
#embed "../LatticeHTTP/Page/page/unlocked.js"
};
static const unsigned char file_120[] = {
#embed "../LatticeHTTP/Page/page/unread.js"
};
static const unsigned char file_121[] = {
#embed "../LatticeHTTP/Page/page/urgent.js"
};
static const unsigned char file_122[] = {
#embed "../LatticeHTTP/Page/page/views.css"
};
static const unsigned char file_123[] = {
#embed "../LatticeHTTP/Page/page/views.js"
};
static const unsigned char file_124[] = {
#embed "../LatticeHTTP/Page/page/visit.css"
};
static const unsigned char file_125[] = {
#embed "../LatticeHTTP/Page/page/visit.js"
};
static const unsigned char file_126[] = {
#embed "../LatticeHTTP/Page/page/visitors.js"
};
static const unsigned char file_127[] = {
#embed "../LatticeHTTP/Page/page/you.js"
};
static const unsigned char file_128[] = {
#embed "../LatticeHTTP/Page/service-worker.js"
};

static const lattice_page_file files[] = {
    {"index.html", file_1, sizeof file_1, 0, 0},
    {"page/about.js", file_2, sizeof file_2, 0, 0},
    {"page/acts.js", file_3, sizeof file_3, 0, 0},
    {"page/alerts.js", file_4, sizeof file_4, 0, 0},
    {"page/announce.js", file_5, sizeof file_5, 0, 0},
    {"page/api.js", file_6, sizeof file_6, 0, 0},
    {"page/app.js", file_7, sizeof file_7, 0, 0},
    {"page/attach.js", file_8, sizeof file_8, 0, 0},
    {"page/away.js", file_9, sizeof file_9, 0, 0},
    {"page/base.css", file_10, sizeof file_10, 0, 0},
    {"page/bytes.js", file_11, sizeof file_11, 0, 0},
    {"page/changes.js", file_12, sizeof file_12, 0, 0},
    {"page/chatlist.js", file_13, sizeof file_13, 0, 0},
    {"page/clusters.js", file_14, sizeof file_14, 0, 0},
    {"page/coastline.bin", file_15, sizeof file_15, 0, 0},
    {"page/coastline.js", file_16, sizeof file_16, 0, 0},
    {"page/compare.js", file_17, sizeof file_17, 0, 0},
    {"page/compose.js", file_18, sizeof file_18, 0, 0},
    {"page/conversations.js", file_19, sizeof file_19, 0, 0},
    {"page/crossing.js", file_20, sizeof file_20, 0, 0},
    {"page/dark.css", file_21, sizeof file_21, 0, 0},
    {"page/dom.js", file_22, sizeof file_22, 0, 0},
    {"page/drafts.js", file_23, sizeof file_23, 0, 0},
    {"page/event.js", file_24, sizeof file_24, 0, 0},
    {"page/eventparser.js", file_25, sizeof file_25, 0, 0},
    {"page/filecard.js", file_26, sizeof file_26, 0, 0},
    {"page/files.css", file_27, sizeof file_27, 0, 0},
    {"page/files.js", file_28, sizeof file_28, 0, 0},
    {"page/foundlines.js", file_29, sizeof file_29, 0, 0},
    {"page/geo.js", file_30, sizeof file_30, 0, 0},
    {"page/graph.js", file_31, sizeof file_31, 0, 0},
    {"page/here.js", file_32, sizeof file_32, 0, 0},
    {"page/history.js", file_33, sizeof file_33, 0, 0},
    {"page/icon-192.png", file_34, sizeof file_34, 0, 0},
    {"page/icon.svg", file_35, sizeof file_35, 0, 0},
    {"page/icons.svg", file_36, sizeof file_36, 0, 0},
    {"page/item.js", file_37, sizeof file_37, 0, 0},
    {"page/kept.js", file_38, sizeof file_38, 0, 0},
    {"page/keptposts.js", file_39, sizeof file_39, 0, 0},
    {"page/keyboard.js", file_40, sizeof file_40, 0, 0},
    {"page/knownchats.js", file_41, sizeof file_41, 0, 0},
    {"page/knownplaces.js", file_42, sizeof file_42, 0, 0},
    {"page/latest.js", file_43, sizeof file_43, 0, 0},
    {"page/layout.css", file_44, sizeof file_44, 0, 0},
    {"page/layout.js", file_45, sizeof file_45, 0, 0},
    {"page/line.js", file_46, sizeof file_46, 0, 0},
    {"page/lineacts.js", file_47, sizeof file_47, 0, 0},
    {"page/linechanges.js", file_48, sizeof file_48, 0, 0},
    {"page/linedrag.js", file_49, sizeof file_49, 0, 0},
    {"page/linemenu.js", file_50, sizeof file_50, 0, 0},
    {"page/lines.js", file_51, sizeof file_51, 0, 0},
    {"page/linetext.js", file_52, sizeof file_52, 0, 0},
    {"page/list.js", file_53, sizeof file_53, 0, 0},
    {"page/listhead.js", file_54, sizeof file_54, 0, 0},
    {"page/livestate.js", file_55, sizeof file_55, 0, 0},
    {"page/look.js", file_56, sizeof file_56, 0, 0},
    {"page/main.js", file_57, sizeof file_57, 0, 0},
    {"page/manifest.webmanifest", file_58, sizeof file_58, 0, 0},
    {"page/map.css", file_59, sizeof file_59, 0, 0},
    {"page/map.js", file_60, sizeof file_60, 0, 0},
    {"page/mapcard.js", file_61, sizeof file_61, 0, 0},
    {"page/mapdraw.js", file_62, sizeof file_62, 0, 0},
    {"page/mapoffer.js", file_63, sizeof file_63, 0, 0},
    {"page/mapview.js", file_64, sizeof file_64, 0, 0},
    {"page/marks.js", file_65, sizeof file_65, 0, 0},
    {"page/mesh.css", file_66, sizeof file_66, 0, 0},
    {"page/mesh.js", file_67, sizeof file_67, 0, 0},
    {"page/meshcard.js", file_68, sizeof file_68, 0, 0},
    {"page/names.js", file_69, sizeof file_69, 0, 0},
    {"page/newplace.js", file_70, sizeof file_70, 0, 0},
    {"page/news.js", file_71, sizeof file_71, 0, 0},
    {"page/notifications.js", file_72, sizeof file_72, 0, 0},
    {"page/offline.js", file_73, sizeof file_73, 0, 0},
    {"page/originalcard.js", file_74, sizeof file_74, 0, 0},
    {"page/outbox.js", file_75, sizeof file_75, 0, 0},
    {"page/people.js", file_76, sizeof file_76, 0, 0},
    {"page/personfiles.js", file_77, sizeof file_77, 0, 0},
    {"page/personphotos.js", file_78, sizeof file_78, 0, 0},
    {"page/photofield.js", file_79, sizeof file_79, 0, 0},
    {"page/photos.css", file_80, sizeof file_80, 0, 0},
    {"page/photos.js", file_81, sizeof file_81, 0, 0},
    {"page/picture.js", file_82, sizeof file_82, 0, 0},
    {"page/pins.js", file_83, sizeof file_83, 0, 0},
    {"page/placefield.js", file_84, sizeof file_84, 0, 0},
    {"page/placeform.js", file_85, sizeof file_85, 0, 0},
    {"page/placerow.js", file_86, sizeof file_86, 0, 0},
    {"page/places.js", file_87, sizeof file_87, 0, 0},
    {"page/post.js", file_88, sizeof file_88, 0, 0},
    {"page/posts.css", file_89, sizeof file_89, 0, 0},
    {"page/posts.js", file_90, sizeof file_90, 0, 0},
    {"page/postsat.js", file_91, sizeof file_91, 0, 0},
    {"page/poststate.js", file_92, sizeof file_92, 0, 0},
    {"page/profile.js", file_93, sizeof file_93, 0, 0},
    {"page/projection.js", file_94, sizeof file_94, 0, 0},
    {"page/redraw.js", file_95, sizeof file_95, 0, 0},
    {"page/rings.js", file_96, sizeof file_96, 0, 0},
    {"page/roomdialogs.js", file_97, sizeof file_97, 0, 0},
    {"page/roompins.js", file_98, sizeof file_98, 0, 0},
    {"page/rooms.js", file_99, sizeof file_99, 0, 0},
    {"page/router.js", file_100, sizeof file_100, 0, 0},
    {"page/rows.js", file_101, sizeof file_101, 0, 0},
    {"page/save.js", file_102, sizeof file_102, 0, 0},
    {"page/sending.js", file_103, sizeof file_103, 0, 0},
    {"page/sheet.js", file_104, sizeof file_104, 0, 0},
    {"page/sight.js", file_105, sizeof file_105, 0, 0},
    {"page/sources.js", file_106, sizeof file_106, 0, 0},
    {"page/speaker.js", file_107, sizeof file_107, 0, 0},
    {"page/store.js", file_108, sizeof file_108, 0, 0},
    {"page/stream.js", file_109, sizeof file_109, 0, 0},
    {"page/talk.css", file_110, sizeof file_110, 0, 0},
    {"page/talkhead.js", file_111, sizeof file_111, 0, 0},
    {"page/talkstate.js", file_112, sizeof file_112, 0, 0},
    {"page/text.js", file_113, sizeof file_113, 0, 0},
    {"page/textfield.js", file_114, sizeof file_114, 0, 0},
    {"page/tiles.js", file_115, sizeof file_115, 0, 0},
    {"page/time.js", file_116, sizeof file_116, 0, 0},
    {"page/turns.js", file_117, sizeof file_117, 0, 0},
    {"page/typed.js", file_118, sizeof file_118, 0, 0},
    {"page/unlocked.js", file_119, sizeof file_119, 0, 0},
    {"page/unread.js", file_120, sizeof file_120, 0, 0},
    {"page/urgent.js", file_121, sizeof file_121, 0, 0},
    {"page/views.css", file_122, sizeof file_122, 0, 0},
    {"page/views.js", file_123, sizeof file_123, 0, 0},
    {"page/visit.css", file_124, sizeof file_124, 0, 0},
    {"page/visit.js", file_125, sizeof file_125, 0, 0},
    {"page/visitors.js", file_126, sizeof file_126, 0, 0},
    {"page/you.js", file_127, sizeof file_127, 0, 0},
    {"service-worker.js", file_128, sizeof file_128, 0, 0},
    {0, 0, 0, 0, 0},
};
#endif

const lattice_page_file *lattice_page_files_first(void) { return files; }
